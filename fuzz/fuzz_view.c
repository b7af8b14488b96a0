/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_view
   fuzz_view.c

   Chains of views over a small archive of two levels, each step from a few bytes of the input;
   their rows equal those of a model that applies every step to all rows. Then the same from a feed:
   the ranges of the plan in another order, some of them first wrong or missing, and no other bytes
   may be requested. */
#define TACO_IMPLEMENTATION
#include "../taco.h"
#include "../extra/taco_sql.h"

#include "holds.h"

#define CHECK(cond) HOLDS(cond)
#define TEST_FN     static
#include "../tests/footer.h"
#include "../tests/make.h"

#define ROWS  11
#define COLS  6
#define STEPS 8
#define PATH  "/d/view.tacozip"

/* ---- input ---- */

static const uint8_t *in;
static size_t left;

static unsigned next(unsigned n)
{
    unsigned b = left ? *in : 0;
    in += left > 0;
    left -= left > 0;
    return b % n;
}

/* ---- the dataset, and the model of a view over it ---- */

typedef struct cell {
    double x; /* of text its place in names */
    bool null;
} cell;

typedef struct model {
    char name[COLS][16];
    bool text[COLS];
    size_t cols, rows;
    cell at[ROWS][COLS];
    size_t base[ROWS];       /* row of level 0 */
    unsigned children[ROWS]; /* which of the two still match, a bit each */
    bool samples;
} model;

static const char *const names[] = {"ann", "bob", "cy"};
static mk_buf made;
static taco_dataset *whole;
static model all;

static void view_archive(void)
{
    static const char *const ids[] = {"r0", "r1", "r2", "r3", "r4", "r5",
                                      "r6", "r7", "r8", "r9", "ra"};
    static const char *const folder[] = {"FOLDER", "FOLDER", "FOLDER", "FOLDER", "FOLDER", "FOLDER",
                                         "FOLDER", "FOLDER", "FOLDER", "FOLDER", "FOLDER"};
    const char *name[ROWS], *id1[2 * ROWS], *file[2 * ROWS];
    double v[ROWS], w[2 * ROWS];
    int64_t u[ROWS], row[2 * ROWS], at[2 * ROWS], parent[2 * ROWS];
    uint8_t null[ROWS];
    mk_col c[8];
    mk_buf levels[2];
    taco_error err;
    taco_source src;
    size_t i;
    for (i = 0; i < 2 * ROWS; i++) {
        row[i] = (int64_t)i;
        at[i] = (int64_t)i + 1;
        parent[i] = (int64_t)i / 2;
        w[i] = (double)i;
        id1[i] = i & 1 ? "y" : "x";
        file[i] = "FILE";
    }
    all.cols = 3;
    all.rows = ROWS;
    all.samples = true;
    strcpy(all.name[0], "v");
    strcpy(all.name[1], "u");
    strcpy(all.name[2], "name");
    all.text[2] = true;
    for (i = 0; i < ROWS; i++) {
        v[i] = i == 6 ? strtod("nan", NULL) : (double)(i * 5 % ROWS) - 2;
        null[i] = i == 3;
        u[i] = (int64_t)i / 3;
        name[i] = i % 4 == 3 ? NULL : names[i % 4];
        all.at[i][0].x = v[i];
        all.at[i][0].null = null[i] != 0;
        all.at[i][1].x = (double)u[i];
        all.at[i][2].x = (double)(i % 4);
        all.at[i][2].null = !name[i];
        all.base[i] = i;
        all.children[i] = 3;
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", folder);
    c[2] = mk_f64("v", v);
    c[2].null = null;
    c[3] = mk_i64("u", u);
    c[4] = mk_text("name", name);
    c[5] = mk_i64("internal:current_id", row);
    c[6] = mk_i64("internal:offset", at);
    c[7] = mk_i64("internal:size", at);
    levels[0] = mk_parquet(c, 8, ROWS, 3);
    c[0] = mk_text("id", id1);
    c[1] = mk_text("type", file);
    c[2] = mk_f64("w", w);
    c[3] = mk_i64("internal:current_id", row);
    c[4] = mk_i64("internal:parent_id", parent);
    c[5] = mk_i64("internal:offset", at);
    c[6] = mk_i64("internal:size", at);
    levels[1] = mk_parquet(c, 7, 2 * ROWS, 4);
    made = mk_archive(levels, 2, MK_NESTED, "data", 4);
    memset(&err, 0, sizeof err);
    taco_source_memory(&src, made.data, made.len);
    whole = taco_open_source(&src, PATH, NULL, &err);
    HOLDS(whole);
}

/* ---- conditions ---- */

static int compare(double a, double b) /* NaN is the greatest and equals itself */
{
    return a != a || b != b ? (a != a) - (b != b) : (a > b) - (a < b);
}

typedef struct term {
    int kind; /* 0 to 5 comparisons, 6 IS NULL, 7 IN, 8 the row's size */
    size_t col;
    int k;
} term;

static term term_of(const model *m, char *text)
{
    static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
    term t;
    t.kind = (int)next(9);
    t.col = next((unsigned)m->cols);
    t.k = (int)next(20) - 4;
    if (t.kind == 8 && m->samples) {
        sprintf(text, "\"internal:size\" <= %d", t.k);
        return t;
    }
    t.kind %= 8;
    if (t.kind == 6) {
        sprintf(text, "%s IS NULL", m->name[t.col]);
    } else if (m->text[t.col]) {
        t.k = t.k & 1;
        t.kind = t.kind == 7 ? 0 : t.kind;
        sprintf(text, "%s %s '%s'", m->name[t.col], ops[t.kind], names[t.k]);
    } else if (t.kind == 7) {
        sprintf(text, "%s IN (%d, 2)", m->name[t.col], t.k);
    } else {
        sprintf(text, "%s %s %d", m->name[t.col], ops[t.kind], t.k);
    }
    return t;
}

static int holds(const model *m, size_t row, term t) /* -1: NULL */
{
    const cell *c = &m->at[row][t.col];
    int order;
    if (t.kind == 8) { return (int)m->base[row] + 1 <= t.k; }
    if (t.kind == 6 || c->null) { return t.kind == 6 ? c->null : -1; }
    order = compare(c->x, t.k);
    switch (t.kind) {
    case 0: return order == 0;
    case 1: return order != 0;
    case 2: return order < 0;
    case 3: return order <= 0;
    case 4: return order > 0;
    case 5: return order >= 0;
    default: return order == 0 || compare(c->x, 2) == 0;
    }
}

static void drop(model *m, size_t row)
{
    memmove(&m->at[row], &m->at[row + 1], (m->rows - row - 1) * sizeof m->at[0]);
    memmove(&m->base[row], &m->base[row + 1], (m->rows - row - 1) * sizeof m->base[0]);
    memmove(&m->children[row], &m->children[row + 1], (m->rows - row - 1) * sizeof m->children[0]);
    m->rows--;
}

/* Up to two terms, and the rows that they leave. */
static void condition(model *m, char *text)
{
    char one[64], two[64];
    term a = term_of(m, one), b = a;
    int how = (int)next(4);
    size_t i;
    sprintf(text, "%s", one);
    if (how > 1) {
        b = term_of(m, two);
        sprintf(text, how == 2 ? "%s AND %s" : "(%s OR %s)", one, two);
    } else if (how) {
        sprintf(text, "NOT (%s)", one);
    }
    for (i = m->rows; i-- > 0;) {
        int x = holds(m, i, a), y = holds(m, i, b);
        bool stays = how == 1 ? x == 0 : how == 3 ? x == 1 || y == 1 : x == 1 && y == 1;
        if (!stays) { drop(m, i); }
    }
}

/* ---- order, limits, groups ---- */

static void sort(model *m, size_t col, bool desc) /* nulls last; then by storage order */
{
    size_t i, k;
    for (i = 1; i < m->rows; i++) {
        for (k = i; k > 0; k--) {
            model t = *m;
            cell a = m->at[k - 1][col], b = m->at[k][col];
            int order =
                a.null || b.null ? (int)a.null - (int)b.null : compare(a.x, b.x) * (desc ? -1 : 1);
            size_t r;
            if (order < 0 || (order == 0 && m->base[k - 1] <= m->base[k])) { break; }
            for (r = 0; r < 2; r++) {
                memcpy(m->at[k - r], t.at[k - 1 + r], sizeof t.at[0]);
                m->base[k - r] = t.base[k - 1 + r];
                m->children[k - r] = t.children[k - 1 + r];
            }
        }
    }
}

static void cut(model *m, size_t limit, size_t offset)
{
    while (offset-- && m->rows) {
        drop(m, 0);
    }
    m->rows = m->rows < limit ? m->rows : limit;
}

/* Distinct values of a column, in order; how often each is there. */
static void group(model *m, size_t col, bool counts)
{
    model old;
    size_t i;
    sort(m, col, false);
    old = *m;
    m->rows = 0;
    m->cols = counts ? 2 : 1;
    m->samples = false;
    strcpy(m->name[0], "k");
    strcpy(m->name[1], "n");
    m->text[0] = old.text[col];
    m->text[1] = false;
    for (i = 0; i < old.rows; i++) {
        cell c = old.at[i][col], *last = m->rows ? m->at[m->rows - 1] : NULL;
        if (last && last->null == c.null && (c.null || compare(last->x, c.x) == 0)) {
            last[1].x++;
            continue;
        }
        m->base[m->rows] = i;
        m->at[m->rows][0] = c;
        m->at[m->rows][1].null = false;
        m->at[m->rows++][1].x = 1;
    }
}

/* Select items over the columns there are; the names of the results may be those of other
   columns. */
static void items(model *m, char *text)
{
    static const char *const pool[] = {"a", "b", "v", "u", "c", "name"};
    model old = *m;
    size_t i, r, first = next(6);
    m->cols = 1 + next(4);
    for (i = 0; i < m->cols; i++) {
        size_t from = next((unsigned)old.cols);
        int how = old.text[from] ? 0 : (int)next(4), k = (int)next(5);
        const char *name = pool[(first + i) % 6];
        strcpy(m->name[i], name);
        m->text[i] = old.text[from];
        text += sprintf(text, "%s", i ? ", " : "");
        if (how < 2) {
            text += sprintf(text, how ? "data.%s AS %s" : "%s AS %s", old.name[from], name);
        } else {
            text += sprintf(text, how == 2 ? "%s + %d AS %s" : "%s * %d AS %s", old.name[from], k,
                            name);
        }
        for (r = 0; r < m->rows; r++) {
            m->at[r][i] = old.at[r][from];
            m->at[r][i].x = how < 2    ? m->at[r][i].x
                            : how == 2 ? m->at[r][i].x + k
                                       : m->at[r][i].x * k;
        }
    }
}

/* ---- steps ---- */

static taco_view *sql_step(const taco_view *v, model *m, taco_error *err)
{
    char text[1024], where[256] = "", list[512] = "*";
    size_t n = 0, limit = next(6), offset = next(3);
    bool some = next(2) != 0, last = next(3) == 0;
    if (next(2)) { condition(m, where); }
    if (some) { items(m, list); }
    n = (size_t)sprintf(text, "SELECT %s FROM data", list);
    n += (size_t)sprintf(text + n, where[0] ? " WHERE %s" : "%s", where);
    if (m->samples && next(3) == 0) {
        size_t col = next((unsigned)m->cols);
        bool desc = next(2) != 0;
        sort(m, col, desc);
        n += (size_t)sprintf(text + n, " ORDER BY %s%s, \"internal:size\"", m->name[col],
                             desc ? " DESC" : "");
    }
    if (last) {
        cut(m, limit, offset);
        sprintf(text + n, " LIMIT %u OFFSET %u", (unsigned)limit, (unsigned)offset);
    }
    return taco_view_sql(v, text, err);
}

static taco_view *step(const taco_view *v, model *m, taco_error *err)
{
    char text[1024];
    size_t col = next((unsigned)m->cols), i, limit;
    unsigned k;
    bool desc;
    switch (next(8)) {
    case 0: condition(m, text); return taco_view_where(v, text, 0, err);
    case 1:
        if (!m->samples) { break; }
        desc = next(2) != 0;
        sort(m, col, desc);
        sprintf(text, "%s%s, \"internal:size\"", m->name[col], desc ? " desc" : "");
        return taco_view_order(v, text, err);
    case 2:
        limit = 1 + next(7);
        i = next(3);
        cut(m, limit, i);
        return taco_view_limit(v, limit, i, err);
    case 3:
        for (i = 0; i < m->rows; i++) {
            m->at[i][0] = m->at[i][col];
        }
        memmove(m->name[0], m->name[col], sizeof m->name[0]);
        m->text[0] = m->text[col];
        m->cols = 1;
        return taco_view_select(v, m->name[0], err);
    case 4:
        sprintf(text, "SELECT DISTINCT %s AS k FROM data ORDER BY 1", m->name[col]);
        group(m, col, false);
        return taco_view_sql(v, text, err);
    case 5:
        sprintf(text, "SELECT %s AS k, count(*) AS n FROM data GROUP BY 1 ORDER BY 1",
                m->name[col]);
        group(m, col, true);
        return taco_view_sql(v, text, err);
    case 6:
        if (!m->samples) { break; }
        k = next(2 * ROWS);
        desc = next(2) != 0;
        for (i = m->rows; i-- > 0;) {
            unsigned bit;
            for (bit = 0; bit < 2; bit++) {
                unsigned w = (unsigned)m->base[i] * 2 + bit;
                m->children[i] &= ~(unsigned)((desc ? w < k : w >= k) ? 0 : 1U << bit);
            }
            if (!m->children[i]) { drop(m, i); }
        }
        sprintf(text, desc ? "w < %u" : "w >= %u", k);
        return taco_view_where(v, text, 1, err);
    default: break;
    }
    return sql_step(v, m, err);
}

/* ---- rows ---- */

/* 1: the rows are those of the model; 0: an error. */
static int same(const taco_view *v, const model *m, taco_error *err)
{
    taco_cursor *c = taco_view_rows(v, err);
    size_t i, n = 0;
    if (!c) {
        HOLDS(err->code != TACO_OK && err->text[0]);
        return 0;
    }
    while (taco_cursor_next(c)) {
        size_t count;
        const taco_field *f = taco_cursor_fields(c, &count);
        HOLDS(n < m->rows && count == (m->cols == 3 && count > 3 ? count : m->cols));
        for (i = 0; i < m->cols; i++) {
            const char *t = taco_cursor_text(c, m->name[i]);
            const cell *want = &m->at[n][i];
            HOLDS(count != m->cols || strcmp(f[i].name, m->name[i]) == 0);
            HOLDS((t == NULL) == want->null);
            HOLDS(!t || (m->text[i] ? strcmp(t, names[(size_t)want->x]) == 0
                                    : compare(strtod(t, NULL), want->x) == 0));
        }
        n++;
    }
    if (taco_cursor_close(c, err) != TACO_OK) { return 0; }
    HOLDS(n == m->rows);
    return 1;
}

/* ---- feeding ---- */

static void give(taco_feed *feed, const taco_range *r, size_t n, bool whole_list, bool wrong)
{
    taco_range copy[64];
    taco_error err;
    size_t i, k;
    n = n < 64 ? n : 64;
    for (i = 0; i < n; i++) {
        copy[i] = r[i];
    }
    for (; n; n--) { /* in any order */
        k = next((unsigned)n);
        memset(&err, 0, sizeof err);
        HOLDS(copy[k].len == 0 || (strcmp(copy[k].file, PATH) == 0 &&
                                   taco__checked_range(copy[k].offset, copy[k].len, made.len)));
        if (!copy[k].len) {
            bool there = strcmp(copy[k].file, PATH) == 0;
            HOLDS(taco_feed_file(feed, copy[k].file, there ? made.len : TACO_FEED_NO_FILE, &err) ==
                  TACO_OK);
        } else if (whole_list || next(4)) {
            size_t len = (size_t)copy[k].len, some = next(3) ? len : 1 + next((unsigned)len);
            uint8_t *piece = (uint8_t *)malloc(len);
            memcpy(piece, made.data + copy[k].offset, len);
            if (wrong && next(2)) {
                piece[next((unsigned)(len < 255 ? len : 255))] ^= (uint8_t)(1 + next(255));
            }
            HOLDS(taco_feed_give(feed, PATH, copy[k].offset, piece, whole_list ? len : some,
                                 &err) == TACO_OK);
            free(piece);
        }
        copy[k] = copy[n - 1];
    }
    memset(&err, 0, sizeof err);
    HOLDS(taco_feed_give(feed, "/d/other", 0, "x", 1, &err) == TACO_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    HOLDS(taco_feed_file(feed, PATH, made.len, &err) == TACO_OK &&
          taco_feed_give(feed, PATH, made.len - 1, "xy", 2, &err) == TACO_ERR_TRUNCATED);
}

static taco_view *chain(taco_dataset *ds, const uint8_t *data, size_t size, model *m,
                        taco_error *err)
{
    taco_view *v = taco_view_open(ds, NULL, err), *w;
    unsigned n, i;
    *m = all;
    in = data;
    left = size;
    n = next(STEPS + 1);
    for (i = 0; v && i < n; i++) {
        w = step(v, m, err);
        taco_view_free(v);
        v = w;
    }
    HOLDS((v != NULL) == (err->code == TACO_OK));
    return v;
}

static void fed(const uint8_t *data, size_t size, bool wrong)
{
    taco_options opt;
    taco_error err;
    taco_feed *feed = taco_feed_new(NULL, NULL);
    taco_dataset *ds = NULL;
    taco_view *v = NULL;
    taco_plan *p = NULL;
    model m;
    const uint8_t *rest;
    size_t n, rest_len;
    int tries;
    memset(&opt, 0, sizeof opt);
    opt.open_file = taco_feed_open_file;
    opt.open_ctx = feed;
    opt.limits.max_memory = (uint64_t)64 << 20;
    for (tries = 0; tries < 40 && !ds; tries++) {
        memset(&err, 0, sizeof err);
        ds = taco_open(PATH, &opt, &err);
        if (!ds) {
            const taco_range *r = taco_feed_wanted(feed, &n);
            HOLDS(wrong || n);
            give(feed, r, n, tries > 20, wrong);
        }
    }
    HOLDS(ds || wrong);
    rest = in, rest_len = left;
    v = ds ? chain(ds, data, size, &m, &err) : NULL;
    HOLDS(!ds || v);
    in = rest, left = rest_len;
    for (tries = 0; v && tries < 60; tries++) {
        bool done;
        memset(&err, 0, sizeof err);
        p = taco_view_plan(v, &err);
        HOLDS((p != NULL) == (err.code == TACO_OK));
        HOLDS(!p || (taco_plan_text(p, &err).len && taco_plan_json(p, &err).len));
        done = p && p->complete && !p->range_count;
        if (p) {
            give(feed, p->ranges, p->range_count, tries > 30, wrong);
        } else {
            const taco_range *r = taco_feed_wanted(feed, &n);
            HOLDS(wrong || n);
            give(feed, r, n, tries > 30, wrong);
        }
        memset(&err, 0, sizeof err);
        if (next(2) && !wrong && !same(v, &m, &err)) { /* too early */
            HOLDS(err.code == TACO_ERR_IO);
        }
        taco_plan_free(p);
        if (done) { break; }
    }
    memset(&err, 0, sizeof err);
    if (v && !wrong) {
        HOLDS(tries < 60);
        HOLDS(same(v, &m, &err));
        taco_feed_wanted(feed, &n);
        HOLDS(n == 0);
    } else if (v) {
        taco_cursor *c = taco_view_rows(v, &err);
        for (n = 0; n < 50 && taco_cursor_next(c); n++) {
            taco_cursor_json(c);
        }
        taco_cursor_close(c, NULL);
    }
    taco_view_free(v);
    taco_close(ds);
    taco_feed_free(feed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_error err;
    taco_view *v;
    taco_plan *p;
    model m;
    unsigned how;
    if (!whole) { view_archive(); }
    memset(&err, 0, sizeof err);
    v = chain(whole, data, size, &m, &err);
    HOLDS(v);
    p = taco_view_plan(v, &err);
    HOLDS(p && p->complete && taco_plan_text(p, &err).len);
    taco_plan_free(p);
    HOLDS(same(v, &m, &err));
    taco_view_free(v);
    how = next(4);
    if (how) { fed(data, size, how == 3); }
    return 0;
}
