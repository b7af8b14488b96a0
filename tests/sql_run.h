/* Shared by the tests of SQL: a generated dataset, the rows of a query as one text, and all queries
   again with failing allocations. Include it after places.h. */
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

/* All queries that were run, for every_place. */
static char *asked[8192];
static size_t asked_count;
static bool asking = true;

static void ask(const char *sql)
{
    size_t n = strlen(sql) + 1;
    if (asking && asked_count < sizeof asked / sizeof asked[0] &&
        (asked[asked_count] = (char *)malloc(n)) != NULL) {
        memcpy(asked[asked_count++], sql, n);
    }
}

/* Rows joined by |, values by a space, "-" for null; or what the error says behind the query. */
static const char *run(const char *sql)
{
    static char out[20000];
    taco_error e = none();
    taco_cursor *c = taco_sql(set, sql, &e);
    taco_batch b;
    size_t n = 0, i, k, count;
    bool ok = true;
    const taco_field *f = taco_cursor_fields(c, &count);
    taco__arena arena;
    taco__buf cell;
    memset(&cell, 0, sizeof cell);
    arena.mem = cell.mem = &set->mem;
    arena.head = NULL;
    out[0] = 0;
    ask(sql);
    while (ok && taco_cursor_batch(c, &b)) {
        for (i = 0; ok && i < b.length; i++) {
            n += (size_t)snprintf(out + n, sizeof out - n, "%s", n ? "|" : "");
            for (k = 0; ok && k < b.column_count; k++) {
                taco__sql_type t;
                taco__vec v;
                cell.len = 0;
                ok = taco__sql_type_from_field(&arena, &f[k], &t, &e) &&
                     taco__vec_arrow_load(&arena, &b.columns[k], &t, &v, &e) &&
                     (taco__vec_is_valid(&v, i) ? taco__cast_format(&cell, &v, i, false, &e)
                                                : taco__buf_append_char(&cell, '-', &e));
                n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", k ? " " : "",
                                      (int)cell.len, cell.data ? (const char *)cell.data : "");
            }
        }
    }
    taco__buf_free(&cell);
    taco__arena_free(&arena);
    taco_cursor_close(c, &e);
    CHECK(ok || e.code != TACO_OK);
    if (e.code != TACO_OK) {
        const char *at = strstr(e.text, "at column");
        snprintf(out, sizeof out, "%s: %s", taco_status_name(e.code), at ? at : e.text);
    }
    return out;
}

/* Each query again, with each place that asks for memory failing once: the answer is the same or an
   error of memory, nothing is lost, and the dataset answers as before. */
TEST_FN void every_place(void)
{
    static places p;
    static char want[20000];
    taco_options opt;
    taco_allocator a;
    taco_error e = none();
    taco_dataset *all = set;
    size_t i, n, before, queries = 0;
    places_begin(&p, &opt, &opt, &a);
    asking = false;
    set = open_made(&made, &opt, &e);
    CHECK(set != NULL);
    for (i = 0; set && i < asked_count && test_bad <= 20; i++) {
        p.memory.calls = 0;
        snprintf(want, sizeof want, "%s", run(asked[i]));
        before = p.memory.live;
        if (p.memory.calls > 20000) { continue; } /* too long for many times */
        for (n = 0; places_next(&p, n); n++) {
            const char *got = run(asked[i]);
            bool same = strcmp(got, want) == 0 || (n && strncmp(got, "memory: ", 8) == 0);
            if (!same || p.memory.live > before) {
                printf("%s:\n  allocation %u: %s, %d bytes lost\n", asked[i],
                       (unsigned)p.memory.fail_at, got, (int)(p.memory.live - before));
            }
            CHECK(same && p.memory.live <= before);
        }
        queries++;
        CHECK_TEXT(run(asked[i]), want);
    }
    taco_close(set);
    CHECK(p.memory.live == 0);
    places_exact = false;
    set = all;
    printf("%u places that ask for memory in %u queries\n", (unsigned)p.tried, (unsigned)queries);
    for (i = 0; i < asked_count; i++) {
        free(asked[i]);
    }
}

#endif
