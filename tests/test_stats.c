/* parquet/statistics.c: which min and max can be trusted, for every type, order and writer. */
#include "../src/parquet/statistics.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "test.h"
#include "footer.h"

static wr w;
static parsed p;
static int precision = 9; /* of decimals */

/* A file of one optional column "a" with the statistics of c. order: member of ColumnOrder, -1 = no
   column_orders. */
static void open_stats(const chunk_spec *c, int length, int converted, int logical, int order,
                       const char *created_by)
{
    w_schema(&w, 2);
    w_root(&w, 1);
    w_begin(&w);
    w_i32(&w, 1, c->type);
    if (length) { w_i32(&w, 2, length); }
    w_i32(&w, 3, 1);
    w_text(&w, 4, "a");
    if (converted >= 0) { w_i32(&w, 6, converted); }
    if (converted == 5) { w_i32(&w, 7, 0), w_i32(&w, 8, precision); }
    if (logical) { w_open(&w, 10), w_open(&w, logical), w_end(&w), w_end(&w); }
    w_end(&w);
    w_list(&w, 4, 12, 1);
    w_group(&w, c, 1, 3);
    w_text(&w, 6, created_by);
    if (order >= 0) {
        w_list(&w, 7, 12, 1);
        w_begin(&w), w_open(&w, order), w_end(&w), w_end(&w);
    }
    w_u8(&w, 0);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
}

typedef struct column {
    int type, length, converted, logical, order;
    const char *created_by;
} column;

/* The bounds that come out of min and max of `width` bytes; NULL = must not be known. deprecated:
   the old fields. */
static void bounds(column k, bool deprecated, size_t width, const char *min, const char *max,
                   const char *want_min, const char *want_max)
{
    chunk_spec c = chunk_of(k.type, "a");
    taco__pq_bounds b;
    c.width = width;
    c.nulls = 1;
    *(deprecated ? &c.old_min : &c.min) = min;
    *(deprecated ? &c.old_max : &c.max) = max;
    open_stats(&c, k.length, k.converted, k.logical, k.order, k.created_by);
    taco__stats_bounds(&p.m, p.m.leaves, &p.m.groups[0].chunks[0].stats, &b);
    CHECK(b.null_count == 1 && b.nan_count == -1);
    CHECK((b.min.data != NULL) == (want_min != NULL) && (b.max.data != NULL) == (want_max != NULL));
    CHECK(!b.min.data || !want_min || taco__bytes_equal(b.min, taco__bytes_of(want_min, width)));
    CHECK(!b.max.data || !want_max || taco__bytes_equal(b.max, taco__bytes_of(want_max, width)));
    parse_done(&p);
}

static void kept(column k, size_t width, const char *min, const char *max)
{
    bounds(k, false, width, min, max, min, max);
}

static void dropped(column k, size_t width, const char *min, const char *max)
{
    bounds(k, false, width, min, max, NULL, NULL);
}

static column col(int type, int length, int converted, int logical)
{
    column k;
    k.type = type;
    k.length = length;
    k.converted = converted;
    k.logical = logical;
    k.order = 1;
    k.created_by = "us version 1.0";
    return k;
}

static void integers(void)
{
    kept(col(1, 0, -1, 0), 4, "\xfe\xff\xff\xff", "\5\0\0\0");    /* -2, 5 */
    dropped(col(1, 0, -1, 0), 4, "\5\0\0\0", "\xfe\xff\xff\xff"); /* the wrong way round */
    dropped(col(1, 0, 13, 0), 4, "\xfe\xff\xff\xff",
            "\5\0\0\0"); /* UINT_32: 4294967294 is no minimum */
    kept(col(1, 0, 13, 0), 4, "\5\0\0\0", "\xfe\xff\xff\xff");
    kept(col(2, 0, 14, 0), 8, "\5\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\x80");
    kept(col(2, 0, 10, 0), 8, "\0\0\0\0\0\0\0\x80", "\5\0\0\0\0\0\0\0"); /* a timestamp */
    dropped(col(1, 0, -1, 0), 3, "\1\0\0", "\2\0\0");
    dropped(col(2, 0, -1, 0), 4, "\1\0\0\0", "\2\0\0\0");
    kept(col(0, 0, -1, 0), 1, "\0", "\1");
    dropped(col(0, 0, -1, 0), 1, "\0", "\2");
    /* the values are taken modulo 256, the bounds are not */
    kept(col(1, 0, 15, 0), 4, "\x80\xff\xff\xff", "\x7f\0\0\0");
    dropped(col(1, 0, 15, 0), 4, "\1\0\0\0", "\x80\0\0\0");
    dropped(col(1, 0, 11, 0), 4, "\xff\xff\xff\xff", "\1\0\0\0");
    dropped(col(1, 0, 12, 0), 4, "\1\0\0\0", "\0\0\1\0");
    kept(col(1, 0, 16, 0), 4, "\0\x80\xff\xff", "\xff\x7f\0\0");
    dropped(col(1, 0, 15, 0), 4, "\x7f\xff\xff\xff", "\1\0\0\0");
    dropped(col(1, 0, 16, 0), 4, "\xff\x7f\xff\xff", "\1\0\0\0");
    dropped(col(1, 0, 16, 0), 4, "\1\0\0\0", "\0\x80\0\0");
    dropped(col(1, 0, 12, 0), 4, "\xff\xff\xff\xff", "\1\0\0\0");
    kept(col(1, 0, 5, 0), 4, "\xfe\xff\xff\xff", "\5\0\0\0"); /* a decimal */
    /* one alone is as good */
    kept(col(1, 0, -1, 0), 4, "\5\0\0\0", NULL);
    kept(col(1, 0, -1, 0), 4, NULL, "\5\0\0\0");
}

static void floats(void)
{
    static const char nan[] = "\0\0\0\0\0\0\xf8\x7f", one[] = "\0\0\0\0\0\0\xf0\x3f",
                      minus[] = "\0\0\0\0\0\0\xf0\xbf";
    static const char zero[] = "\0\0\0\0\0\0\0\0", minus_zero[] = "\0\0\0\0\0\0\0\x80";
    static const char infinity[] = "\0\0\0\0\0\0\xf0\x7f",
                      minus_infinity[] = "\0\0\0\0\0\0\xf0\xff";
    column k = col(5, 0, -1, 0);
    kept(k, 8, minus, one);
    kept(k, 8, minus_infinity, infinity);
    kept(k, 8, minus, NULL);
    kept(k, 8, NULL, one);
    dropped(k, 8, one, minus);
    dropped(k, 8, nan, one); /* NaN spoils both: who wrote it compared with it */
    dropped(k, 8, minus, nan);
    dropped(k, 8, minus, "\1\0\0\0\0\0\xf0\xff");
    bounds(k, false, 8, zero, zero, minus_zero, zero); /* zeros are not told apart */
    bounds(k, false, 8, minus_zero, minus_zero, minus_zero, zero);
    kept(col(4, 0, -1, 0), 4, "\0\0\x80\xbf", "\0\0\x80\x3f");
    bounds(col(4, 0, -1, 0), false, 4, "\0\0\0\0", "\0\0\0\x80", "\0\0\0\x80", "\0\0\0\0");
    dropped(col(4, 0, -1, 0), 4, "\0\0\x80\xbf", "\0\0\xc0\x7f");
    kept(col(7, 2, -1, 15), 2, "\0\xbc", "\0\x3c"); /* FLOAT16: -1, 1 */
    dropped(col(7, 2, -1, 15), 2, "\0\xbc", "\0\x7e");
    bounds(col(7, 2, -1, 15), false, 2, "\0\0", "\0\x80", "\0\x80", "\0\0");
    k.order = 2; /* IEEE 754 total order */
    kept(k, 8, minus, one);
    dropped(k, 8, nan, nan); /* nothing but NaN */
}

static void texts(void)
{
    column k = col(6, 0, 0, 0);
    kept(k, 3, "abc", "b\xff\xff");
    kept(k, 0, "", "");
    dropped(k, 1, "b", "a");
    kept(col(6, 0, -1, 0), 2, "\x7f\1", "\x80\0"); /* unsigned */
    kept(col(7, 4, -1, 0), 4, "abcd", "abce");
    kept(col(7, 4, -1, 0), 2, "ab", "ac"); /* cut short */
    dropped(col(7, 4, -1, 0), 5, "abcde", "abcdf");
    kept(col(7, 16, -1, 14), 16, "0123456789abcdef", "0123456789abcdeg");
    dropped(col(7, 16, -1, 14), 15, "0123456789abcde", "0123456789abcdf");
    /* decimals are signed, of any length */
    kept(col(6, 0, 5, 0), 2, "\xff\x7f", "\1\0");
    kept(col(7, 4, 5, 0), 4, "\xff\xff\xff\xfe", "\0\0\0\5");
    dropped(col(7, 4, 5, 0), 4, "\0\0\0\5", "\xff\xff\xff\xfe");
    dropped(col(7, 4, 5, 0), 3, "\xff\xff\xfe", "\0\0\5");
    dropped(col(6, 0, 5, 0), 0, "", "");
    k = col(6, 0, 5, 0); /* PARQUET-1655 */
    k.created_by = "parquet-cpp version 1.5.1-SNAPSHOT";
    dropped(k, 2, "\xff\x7f", "\1\0");
}

static void unordered(void)
{
    dropped(col(3, 0, -1, 0), 12, "\0\0\0\0\0\0\0\0\0\0\0\0",
            "\1\0\0\0\0\0\0\0\0\0\0\0");                            /* INT96 */
    dropped(col(7, 12, 21, 0), 12, "aaaaaaaaaaaa", "bbbbbbbbbbbb"); /* INTERVAL */
    dropped(col(6, 0, -1, 17), 1, "a", "b");                        /* GEOMETRY */
    dropped(col(6, 0, -1, 18), 1, "a", "b");
    dropped(col(6, 0, -1, 99), 1, "a", "b"); /* of the future */
    dropped(col(2, 0, -1, 99), 8, "\1\0\0\0\0\0\0\0", "\2\0\0\0\0\0\0\0");
    dropped(col(5, 0, -1, 99), 8, "\1\0\0\0\0\0\0\0", "\2\0\0\0\0\0\0\0");
    dropped(col(1, 0, -1, 11), 4, "\1\0\0\0", "\2\0\0\0"); /* UNKNOWN: nulls only */
    kept(col(6, 0, -1, 13), 1, "a", "b");                  /* BSON */
}

/* Annotations that are ignored, in either form: the bounds are in their order. */
static void ignored(void)
{
    static const struct {
        int type, length, converted;
        bool kept;
    } t[] = {{6, 0, -1, true},  {6, 0, 5, false},  {6, 0, 15, false}, {6, 0, 21, false},
             {6, 0, 20, true},  {7, 1, 5, false},  {7, 1, 21, false}, {7, 1, 0, true},
             {7, 1, 4, true},   {7, 1, 19, true},  {1, 0, 5, true},   {1, 0, 10, true},
             {1, 0, 14, false}, {1, 0, 18, true},  {2, 0, 11, false}, {2, 0, 13, false},
             {2, 0, 15, true},  {5, 0, 11, false}, {5, 0, 5, true}};

    static const char low[] = "\1\0\0\0\0\0\0\0", high[] = "\2\0\0\0\0\0\0\0";
    size_t i;
    precision = 0;
    for (i = 0; i < TACO__COUNT(t); i++) {
        size_t width = t[i].type == 1 ? 4 : t[i].type < 6 ? 8 : 1;
        column k = col(t[i].type, t[i].length, t[i].converted, 0);
        (t[i].kept ? kept : dropped)(k, width, low, high);
    }
    precision = 9;
}

/* Without column_orders only those types are believed of which there is but one order; an order of
   the future, none. */
static void orders(void)
{
    column k = col(1, 0, -1, 0);
    k.order = -1;
    kept(k, 4, "\xfe\xff\xff\xff", "\5\0\0\0");
    k.converted = 13;
    dropped(k, 4, "\5\0\0\0", "\xfe\xff\xff\xff");
    kept(k, 4, "\xfe\xff\xff\xff", "\xfe\xff\xff\xff"); /* equal: any order */
    k = col(6, 0, 0, 0);
    k.order = -1;
    dropped(k, 1, "a", "b");
    kept(k, 1, "a", "a");
    k.order = 7;
    dropped(k, 1, "a", "b");
    k = col(5, 0, -1, 0);
    k.order = -1;
    kept(k, 8, "\0\0\0\0\0\0\xf0\xbf", "\0\0\0\0\0\0\xf0\x3f");
    k = col(1, 0, -1, 0);
    k.order = 2; /* for floating point only */
    dropped(k, 4, "\1\0\0\0", "\2\0\0\0");
    k.order = 3;
    dropped(k, 4, "\1\0\0\0", "\2\0\0\0");
}

static void old_fields(void)
{
    column k = col(1, 0, -1, 0);
    bounds(k, true, 4, "\xfe\xff\xff\xff", "\5\0\0\0", "\xfe\xff\xff\xff", "\5\0\0\0");
    /* compared as signed */
    bounds(col(1, 0, 13, 0), true, 4, "\1\0\0\0", "\2\0\0\0", NULL, NULL);
    bounds(col(1, 0, 13, 0), true, 4, "\1\0\0\0", "\1\0\0\0", "\1\0\0\0", "\1\0\0\0");
    bounds(col(6, 0, 0, 0), true, 1, "a", "b", NULL, NULL);
    bounds(col(6, 0, 0, 0), true, 1, "a", "a", "a", "a");
    k = col(6, 0, 0, 0); /* PARQUET-251: one buffer for both */
    k.created_by = "parquet-mr version 1.6.0";
    bounds(k, true, 1, "a", "a", NULL, NULL);
    k.created_by = "";
    bounds(k, true, 1, "a", "a", NULL, NULL);
    bounds(col(7, 2, -1, 15), true, 2, "\0\xbc", "\0\x3c", NULL, NULL);
    bounds(col(5, 0, -1, 0), true, 8, "\0\0\0\0\0\0\xf0\xbf", "\0\0\0\0\0\0\xf0\x3f",
           "\0\0\0\0\0\0\xf0\xbf", "\0\0\0\0\0\0\xf0\x3f");
    {
        chunk_spec c = chunk_of(1, "a"); /* both kinds: the new ones count */
        taco__pq_bounds b;
        c.width = 4;
        c.old_min = c.old_max = "\7\0\0\0";
        c.min = c.max = "\1\0\0\0";
        open_stats(&c, 0, -1, 0, 1, "us");
        taco__stats_bounds(&p.m, p.m.leaves, &p.m.groups[0].chunks[0].stats, &b);
        CHECK(b.min.data && b.min.data[0] == 1 && b.null_count == -1);
        parse_done(&p);
    }
}

static void nothing_given(void)
{
    chunk_spec c = chunk_of(1, "a");
    taco__pq_bounds b;
    open_stats(&c, 0, -1, 0, 1, "us");
    taco__stats_bounds(&p.m, p.m.leaves, &p.m.groups[0].chunks[0].stats, &b);
    CHECK(!b.min.data && !b.max.data && b.null_count == -1 && b.nan_count == -1);
    parse_done(&p);
}

static void pages(void)
{
    static const uint8_t nulls[2] = {0, 1};
    static const int64_t counts[2] = {2, -1}, nans[2] = {3, 0};
    chunk_spec c = chunk_of(1, "a");
    taco_bytes min[2], max[2];
    taco__pq_column_index ix;
    taco__pq_bounds b;
    min[0] = taco__bytes_of("\1\0\0\0", 4);
    max[0] = taco__bytes_of("\2\0\0\0", 4);
    min[1] = max[1] = taco__bytes_of("", 0);
    memset(&ix, 0, sizeof ix);
    ix.pages = 2;
    ix.null_pages = nulls;
    ix.min = min;
    ix.max = max;
    ix.null_counts = counts;
    open_stats(&c, 0, -1, 0, 1, "us");
    taco__stats_page_bounds(&p.m, p.m.leaves, &ix, 0, &b);
    CHECK(b.min.data && b.min.data[0] == 1 && b.max.data && b.max.data[0] == 2 &&
          b.null_count == 2);
    taco__stats_page_bounds(&p.m, p.m.leaves, &ix, 1, &b);
    CHECK(!b.min.data && !b.max.data && b.null_count == -1);
    CHECK(b.nan_count == -1); /* an index without counts claims none */
    ix.nan_counts = nans;
    ix.null_counts = NULL;
    taco__stats_page_bounds(&p.m, p.m.leaves, &ix, 0, &b);
    CHECK(b.nan_count == 3 && b.null_count == -1);
    taco__stats_page_bounds(&p.m, p.m.leaves, &ix, 1, &b);
    CHECK(b.nan_count == 0 && b.null_count == -1);
    parse_done(&p);
}

static void comparing(void)
{
    CHECK(taco__stats_compare_decimal(taco__bytes_of("\xff", 1),
                                      taco__bytes_of("\xff\xff\xff", 3)) == 0);
    CHECK(taco__stats_compare_decimal(taco__bytes_of("\x80", 1), taco__bytes_of("\xff\x7f", 2)) >
          0); /* -128 > -129 */
    CHECK(taco__stats_compare_decimal(taco__bytes_of("\x7f", 1), taco__bytes_of("\0\x80", 2)) < 0);
    CHECK(taco__stats_compare_decimal(taco__bytes_of("\0\0\5", 3), taco__bytes_of("\5", 1)) == 0);
    CHECK(taco__stats_compare_decimal(taco__bytes_of("\x80\0", 2), taco__bytes_of("\1", 1)) < 0);
}

/* ---- contradictions ---- */

/* Two pages of five rows of an INT32 column, which agree with everything. */
typedef struct two_pages {
    taco__pq_schema_element element;
    taco_field field;
    taco__pq_leaf leaf;
    taco__pq_column_chunk chunk;
    taco__pq_row_group group;
    taco__pq_metadata m;
    taco__pq_page_location location[2];
    taco__pq_offset_index offsets;
    taco__pq_column_index columns;
    uint8_t null_pages[2];
    int64_t nulls[2];
    taco_bytes min[2], max[2];
    char numbers[6][4]; /* of both pages, then of the chunk: minimum, maximum */
} two_pages;

static void two_init(two_pages *x)
{
    size_t i;
    memset(x, 0, sizeof *x);
    x->element.converted = -1;
    x->field.type = TACO_INT32;
    x->field.width = 4;
    x->leaf.element = &x->element;
    x->leaf.field = &x->field;
    x->leaf.type = TACO__PQ_INT32;
    x->leaf.max_def = 1;
    x->leaf.order = TACO__PQ_ORDER_TYPE;
    x->chunk.num_values = x->group.rows = 10;
    x->group.chunks = &x->chunk;
    x->m.leaves = &x->leaf;
    x->m.groups = &x->group;
    x->location[1].first_row = 5;
    x->offsets.pages = x->columns.pages = 2;
    x->offsets.page = x->location;
    x->columns.null_pages = x->null_pages;
    x->columns.null_counts = x->nulls;
    x->columns.min = x->min;
    x->columns.max = x->max;
    x->columns.boundary_order = 1;
    for (i = 0; i < 6; i++) {
        x->numbers[i][0] = (char)("\1\5\6\11\1\11"[i]);
    }
    for (i = 0; i < 2; i++) {
        x->min[i] = taco__bytes_of(x->numbers[2 * i], 4);
        x->max[i] = taco__bytes_of(x->numbers[2 * i + 1], 4);
    }
    x->chunk.stats.present = true;
    x->chunk.stats.null_count = 0;
    x->chunk.stats.nan_count = -1;
    x->chunk.stats.min = taco__bytes_of(x->numbers[4], 4);
    x->chunk.stats.max = taco__bytes_of(x->numbers[5], 4);
}

static void index_denied(const two_pages *x, const char *text)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    CHECK(taco__page_index_agrees(&x->m, 0, 0, &x->offsets, &x->columns, &e) == !text[0]);
    CHECK(taco__page_index_agrees(&x->m, 0, 0, &x->offsets, &x->columns, NULL) == !text[0]);
    CHECK_TEXT(e.text, text);
}

/* Each contradiction of a column index, alone. */
static void contradicting_indexes(void)
{
    two_pages x;
    two_init(&x), index_denied(&x, "");
    x.leaf.max_def = 0, index_denied(&x, "");
    x.null_pages[1] = 1;
    index_denied(&x, "at byte 0: the column index has nulls in page 1 of a required column");
    x.null_pages[1] = 0, x.nulls[0] = 1;
    index_denied(&x, "at byte 0: the column index has nulls in page 0 of a required column");
    two_init(&x), x.nulls[0] = 6;
    index_denied(&x, "at byte 0: the column index has 6 nulls in the 5 rows of page 0, which has "
                     "not only nulls");
    x.nulls[0] = 5;
    index_denied(&x, "at byte 0: the column index has 5 nulls in the 5 rows of page 0, which has "
                     "not only nulls");
    x.nulls[0] = 4, x.null_pages[0] = 1;
    index_denied(&x, "at byte 0: the column index has 4 nulls in the 5 rows of page 0, which has "
                     "only nulls");
    x.null_pages[0] = 0;
    index_denied(&x,
                 "at byte 0: the column index has 4 nulls, the statistics of its column chunk 0");
    x.chunk.stats.null_count = 4, index_denied(&x, "");
    x.chunk.stats.null_count = -1, index_denied(&x, "");
    two_init(&x), x.nulls[1] = -1, index_denied(&x, "");
    two_init(&x), x.location[1].first_row = 0, x.nulls[0] = 1; /* a page of no rows */
    index_denied(&x, "at byte 0: the column index has 1 nulls in the 0 rows of page 0, which has "
                     "not only nulls");
    two_init(&x), x.columns.boundary_order = 2;
    index_denied(&x, "at byte 0: bounds of pages 0 and 1, which the column index calls descending, "
                     "are not");
    x.columns.boundary_order = 0, index_denied(&x, "");
    x.numbers[5][0] = 5; /* the chunk has nothing above 5 */
    index_denied(&x, "at byte 0: bounds of page 1 lie outside of those of its column chunk");
    x.numbers[4][0] = 6, x.numbers[5][0] = 9;
    index_denied(&x, "at byte 0: bounds of page 0 lie outside of those of its column chunk");
}

/* Each contradiction of statistics, alone: they prove nothing then. */
static void contradicting_statistics(void)
{
    two_pages x;
    taco__pq_bounds b;
    two_init(&x);
    CHECK(!taco__stats_contradiction(&x.m, &x.leaf, &x.chunk.stats));
    x.chunk.stats.null_count = 11;
    taco__stats_drop_impossible(&x.chunk.stats, 10);
    taco__stats_bounds(&x.m, &x.leaf, &x.chunk.stats, &b);
    CHECK(!b.min.data && !b.max.data && b.null_count == -1);
    CHECK_TEXT(taco__stats_contradiction(&x.m, &x.leaf, &x.chunk.stats), "more nulls than values");
    two_init(&x), x.chunk.stats.null_count = 10;
    taco__stats_drop_impossible(&x.chunk.stats, 10);
    taco__stats_bounds(&x.m, &x.leaf, &x.chunk.stats, &b);
    CHECK(!b.min.data && b.null_count == -1);
    CHECK_TEXT(taco__stats_contradiction(&x.m, &x.leaf, &x.chunk.stats),
               "bounds, but nothing but nulls");
    two_init(&x), x.leaf.max_def = 0, x.chunk.stats.null_count = 3;
    taco__stats_bounds(&x.m, &x.leaf, &x.chunk.stats, &b);
    CHECK(!b.min.data && b.null_count == -1);
    CHECK_TEXT(taco__stats_contradiction(&x.m, &x.leaf, &x.chunk.stats), "nulls, but is required");
    two_init(&x), x.numbers[4][0] = 100;
    CHECK_TEXT(taco__stats_contradiction(&x.m, &x.leaf, &x.chunk.stats),
               "a minimum above its maximum");
    two_init(&x), x.chunk.stats.max.len = 3;
    CHECK_TEXT(taco__stats_contradiction(&x.m, &x.leaf, &x.chunk.stats),
               "a bound of another length than its type");
}

int main(void)
{
    RUN(integers);
    RUN(floats);
    RUN(texts);
    RUN(unordered);
    RUN(ignored);
    RUN(orders);
    RUN(old_fields);
    RUN(nothing_given);
    RUN(pages);
    RUN(comparing);
    RUN(contradicting_indexes);
    RUN(contradicting_statistics);
    return test_end("test_stats");
}
