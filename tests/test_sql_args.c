/* SQL's functions, aggregates, operators and casts with values of every type for each argument: a
   result, or an error with its position. Results are the same if the values come from rows instead
   of literals, and if the expression is parsed again from the name of its result column. */
#include "../src/sql/functions.c"
#include "../src/sql/aggregates.c"

#include "places.h"

#include "../src/dataset/dataset.h"
#include "../taco_sql.h"

#include "footer.h"
#include "make.h"

#include "sql_run.h"

/* A value of each type, and what its type is called; "" where no cast makes it. `loose`: as a column
   of a row it has another type: that of a literal is open, a HUGEINT becomes a DECIMAL. */
static const struct kind {
    const char *value, *type;
    bool loose;
} kinds[] = {{"NULL", "", true},
             {"true", "BOOLEAN", false},
             {"7::TINYINT", "TINYINT", false},
             {"7", "INTEGER", false},
             {"-9::BIGINT", "BIGINT", false},
             {"7::UBIGINT", "UBIGINT", false},
             {"-7::HUGEINT", "HUGEINT", true},
             {"1.25", "DECIMAL(5,2)", false},
             {"-1.5::DECIMAL(30,4)", "DECIMAL(30,4)", false},
             {"2.5::FLOAT", "FLOAT", false},
             {"-2.5::DOUBLE", "DOUBLE", false},
             {"'nan'::DOUBLE", "DOUBLE", false},
             {"'a'", "VARCHAR", true},
             {"'12'::VARCHAR", "VARCHAR", false},
             {"''", "VARCHAR", true},
             {"'2020-01-02 03:04:05'::VARCHAR", "VARCHAR", false},
             {"'a\\x41'::BLOB", "BLOB", false},
             {"DATE '2020-01-31'", "DATE", false},
             {"TIME '01:02:03.5'", "TIME", false},
             {"TIMESTAMP '2020-01-02 03:04:05.678'", "TIMESTAMP", false},
             {"'2020-01-02 03:04:05'::TIMESTAMPTZ", "TIMESTAMPTZ", false},
             {"'2020-01-02 03:04:05'::TIMESTAMP_NS", "TIMESTAMP_NS", false},
             {"INTERVAL 40 DAY", "", false},
             {"'00112233-4455-6677-8899-aabbccddeeff'::UUID", "UUID", false},
             {"[1, NULL, 3]", "INTEGER[]", false},
             {"['a', 'b']", "VARCHAR[]", true},
             {"[[1], []]", "INTEGER[][]", false},
             {"{'a': 1, 'b': 'x'}", "STRUCT(a INTEGER, b VARCHAR)", false},
             {"MAP {'k': 1}", "MAP(VARCHAR, INTEGER)", false},
             {"ST_Point(1, 2)", "", true}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static size_t answers, refusals;

static bool is_error(const char *got)
{
    return strstr(got, "syntax: ") == got || strstr(got, "argument: ") == got ||
           strstr(got, "type: ") == got || strstr(got, "unsupported: ") == got ||
           strstr(got, "limit: ") == got || strstr(got, "not found: ") == got ||
           strstr(got, "corrupt: ") == got;
}

/* The same answer, whatever the sign of a NaN. */
static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (strstr(a, "nan") && strstr(b, "nan"));
}

/* The name that the column of a SELECT gets. */
static bool label_of(const char *sql, char *out, size_t room)
{
    taco_error e = none();
    taco_cursor *c = taco_sql(set, sql, &e);
    size_t n;
    const taco_field *f = taco_cursor_fields(c, &n);
    bool ok = c && n == 1;
    if (ok) { snprintf(out, room, "%s", f[0].name); }
    taco_cursor_close(c, &e);
    return ok;
}

/* One expression over values: those of the text, and as columns x0, x1, ... of a row, unless some
   are loose. */
static void check(const char *text, const char *over_rows, const char *from, bool loose)
{
    static char sql[2000], want[20000], label[1000];
    const char *got;
    snprintf(sql, sizeof sql, "SELECT %s", text);
    snprintf(want, sizeof want, "%s", run(sql));
    if (is_error(want)) {
        refusals++;
        if (strlen(want) < 16) { printf("%s: %s\n", sql, want); }
        CHECK(strlen(want) >= 16);
        return;
    }
    answers++;
    if (label_of(sql, label, sizeof label)) {
        snprintf(sql, sizeof sql, "SELECT %s", label);
        got = run(sql);
        /* as DuckDB names them: some are not read back here */
        if (!same(got, want) && !is_error(got)) {
            printf("%s\n  named %s\n  %s, not %s\n", text, label, got, want);
        }
        CHECK(same(got, want) || is_error(got));
    }
    if (loose) { return; }
    snprintf(sql, sizeof sql, "SELECT %s FROM (SELECT %s) t", over_rows, from);
    got = run(sql);
    /* some arguments must be constants */
    if (!same(got, want) && !is_error(got)) { printf("%s\n  %s, not %s\n", sql, got, want); }
    CHECK(same(got, want) || is_error(got));
}

/* A value that a letter of taco__func accepts. */
static const char *usual(char letter)
{
    switch (letter) {
    case 't': return "'a1'";
    case 'i': return "2";
    case 'd':
    case 'n': return "1.5";
    case 'b': return "true";
    case 'w': return "TIMESTAMP '2020-01-02 03:04:05.678'";
    case 'f': return "DATE '2020-01-31'";
    case 'l': return "[1, 2]";
    case 'B': return "'ab'::BLOB";
    case 'g': return "ST_Point(1, 2)";
    default: return "3";
    }
}

static char letter_of(const taco__func *f, size_t k)
{
    size_t n = strlen(f->args);
    return f->args[k < n ? k : n - 1];
}

static bool is_word(const char *name)
{
    return strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(name);
}

/* Adds text at the end of one that has room for it. */
static void put(char *out, const char *text)
{
    strcpy(out + strlen(out), text);
}

/* f with n arguments, of which the k-th is a value of a kind. */
static void call(const taco__func *f, size_t n, size_t k, const struct kind *kind)
{
    char text[1000] = "", rows[1000] = "", from[1000] = "", name[16];
    const bool infix = !is_word(f->name) && n == 2;
    size_t i;
    if (!infix) { sprintf(text, "%s(", f->name); }
    put(rows, text);
    for (i = 0; i < n; i++) {
        const char *value = i == k ? kind->value : usual(letter_of(f, i));
        sprintf(name, "x%u", (unsigned)i);
        if (i) {
            put(text, infix ? f->name : ", ");
            put(rows, infix ? f->name : ", ");
            put(from, ", ");
        }
        put(text, infix ? "(" : "");
        put(text, value);
        put(text, infix ? ")" : "");
        put(rows, name);
        put(from, value);
        put(from, " AS ");
        put(from, name);
    }
    put(text, infix ? "" : ")");
    put(rows, infix ? "" : ")");
    check(text, rows, from, kind->loose);
}

static void every_function(void)
{
    size_t i, j, k, n, v;
    for (i = 0; i < TACO__COUNT(taco__funcs) && test_bad < 40; i++) {
        const taco__func *f = &taco__funcs[i];
        size_t most = f->most > f->least + 2u ? f->least + 2u : f->most;
        for (j = 0; j < i && (taco__funcs[j].id != f->id || taco__funcs[j].part != f->part); j++) {}
        if (j < i || (!is_word(f->name) && f->least != 2)) { continue; } /* by another name */
        for (n = f->least; n <= most; n++) {
            for (k = n == f->least ? 0 : n - 1; k < n; k++) {
                for (v = 0; v < KINDS; v++) {
                    call(f, n, k, &kinds[v]);
                }
            }
        }
    }
    printf("%u answers, %u refusals\n", (unsigned)answers, (unsigned)refusals);
    CHECK(answers > 500 && refusals > 500);
}

/* Over rows of a value, nothing, and the value; as an aggregate of rows and of a list. */
static void every_aggregate(void)
{
    static char sql[600], want[20000];
    size_t i, v, lists = 0;
    for (i = 0; i < TACO__COUNT(taco__aggregate_names) && test_bad < 40; i++) {
        const taco__aggregate_name *a = &taco__aggregate_names[i];
        for (v = 0; v < KINDS; v++) {
            const char *got, *more = a->args > 1 ? ", 1" : "";
            snprintf(sql, sizeof sql, "SELECT %s(x%s) FROM (VALUES (%s), (NULL), (%s)) t(x)",
                     a->name, more, kinds[v].value, kinds[v].value);
            snprintf(want, sizeof want, "%s", run(sql));
            CHECK(!is_error(want) || strlen(want) >= 16);
            snprintf(sql, sizeof sql,
                     "SELECT %s(DISTINCT x%s ORDER BY x) FILTER (x IS NOT NULL) FROM (VALUES (%s), "
                     "(NULL), (%s)) t(x)",
                     a->name, more, kinds[v].value, kinds[v].value);
            got = run(sql);
            CHECK(!is_error(got) || strlen(got) >= 16);
            if (a->args > 1 || kinds[v].loose || is_error(want)) { continue; }
            snprintf(sql, sizeof sql, "SELECT list_aggregate([%s, NULL, %s], '%s')", kinds[v].value,
                     kinds[v].value, a->name);
            got = run(sql);
            if (is_error(got)) { continue; }
            lists++;
            if (!same(got, want)) { printf("%s\n  %s, not %s\n", sql, got, want); }
            CHECK(same(got, want));
        }
    }
    CHECK(lists > 300);
}

/* Each value as each type, where that is possible; TRY_CAST gives null instead of an error. */
static void every_cast(void)
{
    char text[600], rows[600], from[600], sql[700];
    static char want[20000];
    size_t i, k;
    for (i = 0; i < KINDS; i++) {
        for (k = 1; k < KINDS && test_bad < 40; k++) {
            const char *got;
            if (!kinds[k].type[0] || strcmp(kinds[k].type, kinds[k - 1].type) == 0) { continue; }
            sprintf(text, "CAST(%s AS %s)", kinds[i].value, kinds[k].type);
            sprintf(rows, "CAST(x AS %s)", kinds[k].type);
            sprintf(from, "%s AS x", kinds[i].value);
            check(text, rows, from, kinds[i].loose);
            snprintf(sql, sizeof sql, "SELECT %s", text);
            snprintf(want, sizeof want, "%s", run(sql));
            snprintf(sql, sizeof sql, "SELECT TRY_%s", text);
            got = run(sql);
            CHECK(same(got, want) || is_error(want));
            CHECK(!is_error(got) || is_error(want));
        }
    }
}

/* Two values of all types beside each other: compared, added, in lists, in CASE. */
static void every_pair(void)
{
    static const char *const forms[][3] = {{"", " = ", ""},
                                           {"", " < ", ""},
                                           {"", " IS DISTINCT FROM ", ""},
                                           {"", " + ", ""},
                                           {"", " - ", ""},
                                           {"", " || ", ""},
                                           {"coalesce(NULL, ", ", ", ")"},
                                           {"[", ", ", "]"},
                                           {"CASE WHEN true THEN ", " ELSE ", " END"},
                                           {"", " IN (", ", NULL)"}};
    char text[600], rows[200], from[600];
    size_t i, k, n, form = 0;
    for (i = 0; i < KINDS; i++) {
        for (k = 0; k < KINDS && test_bad < 40; k++) {
            for (n = 0; n < 3; n++, form++) { /* other ones for each pair */
                const char *const *how = forms[form % (sizeof forms / sizeof forms[0])];
                sprintf(text, "%s(%s)%s(%s)%s", how[0], kinds[i].value, how[1], kinds[k].value,
                        how[2]);
                sprintf(rows, "%sx0%sx1%s", how[0], how[1], how[2]);
                sprintf(from, "%s AS x0, %s AS x1", kinds[i].value, kinds[k].value);
                check(text, rows, from, kinds[i].loose || kinds[k].loose);
            }
        }
    }
}

int main(void)
{
    taco_error e = none();
    made = archive();
    set = open_made(&made, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    asking = false;
    RUN(every_function);
    RUN(every_aggregate);
    RUN(every_cast);
    RUN(every_pair);
    taco_close(set);
    free(made.data);
    return test_end("sql_args");
}
