/* SQL's functions, aggregates, operators and casts with values of every type for each argument: a
   result, or an error with its position. Results are the same if the values come from rows instead
   of literals, and if the expression is parsed again from the name of its result column. Also how
   many arguments functions take, and how much lists and deferred sums may hold. */
#include "../src/sql/functions.c"
#include "../src/sql/aggregates.c"

#include "places.h"

#include "../src/dataset/dataset.h"
#include "../extra/taco_sql.h"

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

/* How many arguments functions take: "16" is one or six, "1+" one or more. As in DuckDB's
   duckdb_functions(), and below those that DuckDB has elsewhere or with further counts. */
static const struct arity {
    const char *counts, *names;
} arities[] = {
    {"0", "pi"},
    {"0+", "list_pack list_value row struct_pack"},
    {"1", "@ abs acos acosh array_distinct array_pop_back array_pop_front array_reverse "
          "array_unique ascii asin asinh atan atanh base64 bin bit_count bit_length cbrt "
          "ceil ceiling century char_length character_length chr cos cosh cot day dayname "
          "dayofmonth dayofweek dayofyear decade degrees encode epoch epoch_ms epoch_us era "
          "even exp factorial flatten floor format_bytes formatreadabledecimalsize "
          "formatreadablesize from_base64 from_binary from_hex gamma hex hour isfinite "
          "isinf isnan isodow isoyear julian last_day lcase len length lgamma "
          "list_any_value list_approx_count_distinct list_avg list_bit_and list_bit_or "
          "list_bit_xor list_bool_and list_bool_or list_count list_distinct list_entropy "
          "list_first list_histogram list_kurtosis list_kurtosis_pop list_last list_mad "
          "list_max list_median list_min list_mode list_product list_reverse list_sem "
          "list_skewness list_stddev_pop list_stddev_samp list_string_agg list_sum "
          "list_unique list_var_pop list_var_samp ln log10 log2 lower make_timestamp_ms "
          "make_timestamp_ns map_entries map_from_entries map_keys map_values md5 "
          "microsecond millennium millisecond minute month monthname octet_length ord "
          "quarter radians regexp_escape reverse second sha1 sha256 sign signbit sin sinh "
          "sqrt st_astext st_geomfromwkb strlen tan tanh to_base64 to_binary to_centuries "
          "to_days to_decades to_hex to_hours to_microseconds to_millennia to_milliseconds "
          "to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years "
          "typeof ucase unbin unhex unicode upper url_decode url_encode week weekday "
          "weekofyear year yearweek"},
    {"1+", "concat format greatest hash least printf"},
    {"12", "- array_reverse_sort list_reverse_sort log ltrim round rtrim subtract trim trunc"},
    {"123", "array_grade_up array_sort generate_series grade_up list_grade_up list_sort range"},
    {"16", "make_timestamp"},
    {"2", "% & && * ** / // <-> << <=> <@ >> @> ^ ^@ array_append array_contains "
          "array_extract array_has array_has_all array_has_any array_indexof "
          "array_intersect array_position array_prepend array_push_back array_select "
          "array_to_string array_where atan2 contains damerau_levenshtein date_part "
          "date_trunc datepart datetrunc divide editdist3 element_at ends_with gcd "
          "greatest_common_divisor hamming instr jaccard lcm least_common_multiple left "
          "levenshtein list_append list_contains list_cosine_distance "
          "list_cosine_similarity list_distance list_dot_product list_element list_extract "
          "list_has list_has_all list_has_any list_indexof list_inner_product "
          "list_intersect list_negative_dot_product list_negative_inner_product "
          "list_position list_prepend list_select list_where map_contains map_extract "
          "map_extract_value mismatches mod multiply nextafter nullif position pow power "
          "prefix repeat right split starts_with str_split strftime string_split "
          "string_to_array strpos strptime suffix try_strptime xor | || ~~~"},
    {"2+", "aggregate array_aggr array_aggregate concat_ws list_aggr list_aggregate"},
    {"23", "array_resize jaro_similarity jaro_winkler_similarity list_resize "
           "regexp_full_match regexp_matches regexp_split_to_array str_split_regex "
           "string_split_regex substr substring to_base"},
    {"234", "regexp_extract regexp_extract_all"},
    {"3", "date_diff date_sub datediff datesub lpad make_time replace rpad split_part "
          "translate"},
    {"34", "array_slice bar list_slice regexp_replace"},
    /* others */
    {"1", "! array_length cardinality decode parse_dirname parse_dirpath st_area "
          "st_centroid st_x st_y"},
    {"1+", "array_cat array_concat coalesce list_cat list_concat"},
    {"12", "+ add parse_filename ~"},
    {"2", "!~ ifnull map st_intersects st_point st_within"},
    {"23", "!~~ !~~* ~~ ~~*"},
    {"3", "make_date"},
    {"4", "st_makeenvelope"}};

static bool takes(const char *counts, uint32_t n)
{
    const char *plus = strchr(counts, '+');
    return plus ? n >= (uint32_t)(counts[0] - '0') : n < 10 && strchr(counts, (char)('0' + n));
}

/* Each function takes these numbers of arguments and no other, and none is missing above. */
static void every_arity(void)
{
    size_t i, j, names = 0, functions = 0;
    for (i = 0; i < TACO__COUNT(arities); i++) {
        const char *at = arities[i].names;
        for (; *at; at += strcspn(at, " "), at += strspn(at, " "), names++) {
            taco_bytes name = taco__bytes_of(at, strcspn(at, " "));
            uint32_t n;
            for (n = 0; n < 256; n = n == 9 ? 255 : n + 1) {
                bool known, taken = taco__func_find(name, n, &known) != NULL;
                if (!known || taken != takes(arities[i].counts, n)) {
                    printf("%.*s with %u\n", (int)name.len, at, (unsigned)n);
                }
                CHECK(known && taken == takes(arities[i].counts, n));
            }
        }
    }
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        for (j = 0; j < i && strcmp(taco__funcs[j].name, taco__funcs[i].name) != 0; j++) {}
        functions += j == i;
    }
    CHECK(names == functions);
}

/* A batch has at most 2^30 list elements. */
static void longest_lists(void)
{
    taco__func_list_out o;
    taco__func_call x;
    taco_error e = none();
    memset(&o, 0, sizeof o);
    memset(&x, 0, sizeof x);
    x.err = &e;
    o.x = &x;
    o.picks.mem = &set->mem;
    o.n = ((size_t)1 << 30) - 1;
    CHECK(taco__func_list_push(&o, 0));
    CHECK(o.n == (size_t)1 << 30 && o.picks.len == sizeof(uint32_t));
    CHECK(!taco__func_list_push(&o, 0) && e.code == TACO_ERR_LIMIT);
    e = none();
    CHECK(!taco__func_list_reserve(&o, ((uint64_t)1 << 30) + 1) && e.code == TACO_ERR_LIMIT);
    taco__func_list_drop(&o);
}

/* Of sums whose order shows, a task keeps the values: there is room for all rows, or an error. */
static void deferred(void)
{
    static const taco_type types[] = {TACO_DOUBLE, TACO_INT64};
    const size_t rows = 1000;
    taco_options opt;
    taco_allocator counting;
    test_memory memory;
    size_t i, fail;
    places_exact = true; /* each piece of an arena is an allocation */
    for (i = 0; i < TACO__COUNT(types); i++) {
        bool ok = false;
        for (fail = 5; fail-- > 0;) {
            taco__aggregate a;
            taco__arena arena;
            taco__mem mem;
            taco_error e = none();
            test_counted(&opt, &counting, &memory);
            memory.fail_at = fail;
            taco__mem_init(&mem, &opt);
            arena.mem = &mem;
            arena.head = NULL;
            memset(&a, 0, sizeof a);
            a.id = TACO__AGGREGATE_SUM;
            a.arg = taco__sql_type_simple(types[i]);
            ok = taco__aggregate_defer(&a, &arena, rows, &e);
            CHECK(ok == (!fail || memory.calls < fail));
            CHECK(e.code == (ok ? TACO_OK : TACO_ERR_MEMORY));
            CHECK(a.deferred == (types[i] == TACO_DOUBLE));
            CHECK(!ok || a.pile.cap >= (a.deferred ? rows : 0));
            taco__arena_free(&arena);
            CHECK(memory.live == 0);
        }
        CHECK(ok);
    }
    places_exact = false;
}

int main(void)
{
    taco_error e = none();
    made = archive();
    set = open_made(&made, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    asking = false;
    RUN(every_arity);
    RUN(longest_lists);
    RUN(deferred);
    RUN(every_function);
    RUN(every_aggregate);
    RUN(every_cast);
    RUN(every_pair);
    taco_close(set);
    free(made.data);
    return test_end("sql_args");
}
