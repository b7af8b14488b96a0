/* What tests of SQL share: a made dataset, and the rows of a query as one text. */
#ifndef SQL_RUN_H
#define SQL_RUN_H

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

static mk_buf archive(void)
{
    static const double v[] = {1, 2.5, -3};
    static const char *const ids[] = {"a", "B", "a", "\xC3\xA9t\xC3\xA9", "lost", "nil", "c%d"};
    static const int64_t size[] = {1, 2, 3, 4, 5, 6, INT64_MAX};
    return mk_family(v, ids, size);
}

static taco_dataset *open_made(mk_buf *z, const taco_options *opt, taco_error *e)
{
    taco_source s;
    taco_source_memory(&s, z->data, z->len);
    return taco_open_source(&s, "made.tacozip", opt, e);
}

static mk_buf made;
static taco_dataset *set;

/* Rows joined by |, values by a space, "-" for null; or what the error says behind the query. */
static const char *run(const char *sql)
{
    static char out[8192];
    taco_error e = none();
    taco_cursor *c = taco_sql(set, sql, &e);
    taco_batch b;
    size_t n = 0, i, k, count;
    const taco_field *f = taco_cursor_fields(c, &count);
    taco__arena arena;
    taco__buf cell;
    memset(&cell, 0, sizeof cell);
    arena.mem = cell.mem = &set->mem;
    arena.head = NULL;
    out[0] = 0;
    while (taco_cursor_batch(c, &b)) {
        for (i = 0; i < b.length; i++) {
            n += (size_t)snprintf(out + n, sizeof out - n, "%s", n ? "|" : "");
            for (k = 0; k < b.column_count; k++) {
                taco__sql_type t;
                taco__vec v;
                cell.len = 0;
                CHECK(taco__sql_type_from_field(&arena, &f[k], &t, &e) &&
                      taco__vec_arrow_load(&arena, &b.columns[k], &t, &v, &e));
                if (taco__vec_is_valid(&v, i)) {
                    CHECK(taco__cast_format(&cell, &v, i, false, &e));
                } else {
                    taco__buf_append_char(&cell, '-', &e);
                }
                n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", k ? " " : "",
                                      (int)cell.len, cell.data ? (const char *)cell.data : "");
            }
        }
    }
    taco__buf_free(&cell);
    taco__arena_free(&arena);
    taco_cursor_close(c, &e);
    if (e.code != TACO_OK) {
        const char *at = strstr(e.text, "at column");
        snprintf(out, sizeof out, "%s: %s", taco_status_name(e.code), at ? at : e.text);
    }
    return out;
}

#endif
