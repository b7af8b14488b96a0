/* field_names.c - predicates: parse SQL conditions, bind them to columns. */
#include "arrow.h"
#include "../base/base.h"

/* Edits (insert, delete, replace) between two names without regard to ASCII case; long names are
   cut to 48 bytes. */
static size_t taco__field_names_distance(taco_bytes a, taco_bytes b)
{
    size_t row[49], i, j, n = TACO__MIN(b.len, (size_t)48), m = TACO__MIN(a.len, (size_t)48);
    for (j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (j = 1; j <= n; j++) {
            size_t up = row[j],
                   same =
                       taco__ascii_lower(a.data[i - 1]) == taco__ascii_lower(b.data[j - 1]) ? 0 : 1;
            row[j] = TACO__MIN(TACO__MIN(up, row[j - 1]) + 1, diagonal + same);
            diagonal = up;
        }
    }
    return row[n];
}

/* Fails with NOT_FOUND and the up to three columns whose names are nearest, or else with what the
   name may have been. */
TACO__FN TACO__COLD void taco__field_names_not_found(const taco_field *columns, size_t n,
                                                     taco_bytes name, const char *hint,
                                                     taco_error *err)
{
    size_t best[3], where[3], found = 0, i, j;
    taco_bytes near[3];
    for (i = 0; i < TACO__MIN(n, (size_t)4096); i++) {
        taco_bytes c = taco__bytes_text(columns[i].name);
        size_t d = taco__field_names_distance(name, c);
        if (d > TACO__MAX(name.len, c.len) / 2 &&
            !(name.len >= 3 && c.len > name.len && d == c.len - name.len)) {
            continue; /* shares less than half its letters, and is no longer form of the name */
        }
        for (j = found < 3 ? found++ : 3; j > 0 && best[j - 1] > d; j--) {
            if (j < 3) {
                best[j] = best[j - 1];
                where[j] = where[j - 1];
            }
        }
        if (j < 3) {
            best[j] = d;
            where[j] = i;
        }
    }
    for (j = 0; j < found; j++) {
        near[j] = taco__bytes_text(columns[where[j]].name);
    }
    if (found == 0 && n == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, there are no columns",
                   &name);
    } else if (found == 0) {
        near[0] = taco__bytes_text(columns[0].name);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column %q, none of the %u columns is near (the first is %q)%s", &name,
                   TACO__U(n), &near[0], hint);
    } else if (found == 1) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, the nearest is %q",
                   &name, &near[0]);
    } else if (found == 2) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, the nearest are %q, %q",
                   &name, &near[0], &near[1]);
    } else {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column %q, the nearest are %q, %q, %q", &name, &near[0], &near[1], &near[2]);
    }
}

/* Also for other rooms that look up names. */
TACO__FN TACO__COLD void taco__field_names_no_column(const taco_field *columns, size_t n,
                                                     taco_bytes name, taco_error *err)
{
    taco__field_names_not_found(columns, n, name, "", err);
}
