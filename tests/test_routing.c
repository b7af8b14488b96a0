/* dataset/source_routing.c over whatever writers make of extents: a merged collection returns, for
   boxes and times, exactly the rows of its sources opened one by one, and where the footprints are
   rectangles in degrees, exactly those that plain comparisons of intervals give. Sources have
   points, rectangles in degrees, some beyond 180, or rectangles in UTM; extents of their own that
   are too small, or none; some change after the collection was made.
   The first argument is how many random collections (30), the second the seed. */
#include "../src/base/base.h"
#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_write.h"
#include "test.h"

#include "names.h"

#define DIR_ "build/test_routing"

enum { SOURCES = 4, ROWS = 4, QUERIES = 6, TEXT = 4096 };

#define DAY INT64_C(86400000000)

typedef enum kind { POINTS, RECTANGLES, UTM, KINDS } kind;

/* A sample: a rectangle, west to north, and the days of its start and end. */
typedef struct sample {
    double box[4];
    int64_t start, end;
    char id[16];
} sample;

typedef struct source {
    sample rows[ROWS];
    int n;
} source;

static const char *paths[SOURCES] = {DIR_ "/a.tacozip", DIR_ "/b.tacozip", DIR_ "/c.tacozip",
                                     DIR_ "/d.tacozip"};
static source sources[SOURCES];
static int source_count, collections = 30;
static uint64_t state = 1;

static uint32_t rnd(uint32_t n)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(state >> 33) % n;
}

/* ---- sources ---- */

/* Around one of a few places, so that boxes meet some; whole numbers, so that edges touch. */
static void fill(source *s, kind k, int number)
{
    static const int centers[] = {-179, -60, 0, 3, 120, 179};
    int i;
    s->n = 1 + (int)rnd(ROWS);
    for (i = 0; i < s->n; i++) {
        sample *x = &s->rows[i];
        int lon = centers[rnd(6)], lat = (int)rnd(100) - 50;
        double half = k == POINTS ? 0 : (double)(1 + rnd(6));
        if (k == UTM) {
            x->box[0] = 400000 + 1000.0 * rnd(100);
            x->box[1] = 4000000 + 1000.0 * rnd(200);
            x->box[2] = x->box[0] + 1000.0 * (1 + rnd(80));
            x->box[3] = x->box[1] + 1000.0 * (1 + rnd(80));
        } else {
            if (k == POINTS && lon == 179) { lon = 180 - (int)rnd(3); }
            x->box[0] = lon - half;
            x->box[1] = lat - half;
            x->box[2] = lon + half;
            x->box[3] = lat + half;
        }
        x->start = (int64_t)(18000 + rnd(30));
        x->end = x->start + rnd(10);
        snprintf(x->id, sizeof x->id, "%c%d", 'a' + number, i);
    }
}

static void put_double(uint8_t *p, double x)
{
    taco__put_le64(p, taco__f64_to_bits(x));
}

/* A rectangle as a polygon; a point if it has no size. Returns the bytes. */
static size_t rectangle(uint8_t out[93], const double b[4])
{
    static const uint8_t corner[5][2] = {{0, 1}, {2, 1}, {2, 3}, {0, 3}, {0, 1}};
    size_t i, k, at;
    bool is_point = b[0] >= b[2] && b[1] >= b[3];
    memset(out, 0, 93);
    out[0] = 1;
    out[1] = is_point ? 1 : 3;
    out[5] = out[9] = is_point ? 0 : 1;
    out[9] = 5;
    at = is_point ? 5 : 13;
    for (i = 0; i < (is_point ? 1U : 5U); i++) {
        for (k = 0; k < 2; k++, at += 8) {
            put_double(out + at, b[corner[i][k]]);
        }
    }
    return at;
}

/* The extent of a writer that looks at the middle of the first sample, or none. */
static const char *extent_of(const source *s, kind k)
{
    static char text[200];
    const double *b = s->rows[0].box;
    uint32_t way = rnd(3);
    if (way == 0 || k == UTM) { return "null"; }
    if (way == 1) { return "{\"spatial\":[1,1,1,1],\"temporal\":[\"1990-01-01\",\"1990-01-01\"]}"; }
    snprintf(text, sizeof text, "{\"spatial\":[%g,%g,%g,%g],\"temporal\":null}",
             TACO__MIN((b[0] + b[2]) / 2, 180), (b[1] + b[3]) / 2,
             TACO__MIN((b[0] + b[2]) / 2, 180), (b[1] + b[3]) / 2);
    return text;
}

static void write_row(taco_writer *w, kind k, const sample *x)
{
    uint8_t wkb[93];
    double middle[4];
    size_t i;
    for (i = 0; i < 2; i++) {
        middle[i] = middle[i + 2] = (x->box[i] + x->box[i + 2]) / 2;
    }
    taco_writer_bytes(w, x->id, "x", 1);
    if (k == POINTS) {
        taco_writer_set_bytes(w, "stac:centroid", wkb, rectangle(wkb, x->box));
        taco_writer_set_int(w, "stac:time_start", x->start * DAY);
        taco_writer_set_int(w, "stac:time_end", x->end * DAY);
        return;
    }
    taco_writer_set_bytes(w, "istac:geometry", wkb, rectangle(wkb, x->box));
    taco_writer_set_int(w, "istac:time_start", x->start * DAY);
    taco_writer_set_int(w, "istac:time_end", x->end * DAY);
    if (k == UTM) {
        taco_writer_set_text(w, "istac:crs", "EPSG:32631");
    } else {
        taco_writer_set_bytes(w, "istac:centroid", wkb, rectangle(wkb, middle));
    }
}

static void make(int number, kind k)
{
    static const char *const prefix[KINDS] = {"stac", "istac", "istac"};
    const source *s = &sources[number];
    char text[600];
    taco_error err;
    taco_writer *w;
    int i;
    memset(&err, 0, sizeof err);
    remove(paths[number]);
    snprintf(text, sizeof text,
             "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"x\",\"licenses\":[\"x\"],"
             "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\","
             "\"extent\":%s}",
             extent_of(s, k));
    w = taco_create(paths[number], NULL, &err);
    taco_writer_collection(w, text, strlen(text));
    taco_writer_column(w, 0, k == POINTS ? "stac:centroid" : "istac:geometry", TACO_BINARY);
    if (k == RECTANGLES) { taco_writer_column(w, 0, "istac:centroid", TACO_BINARY); }
    if (k == UTM) { taco_writer_column(w, 0, "istac:crs", TACO_TEXT); }
    snprintf(text, sizeof text, "%s:time_start", prefix[k]);
    taco_writer_column(w, 0, text, TACO_TIMESTAMP);
    snprintf(text, sizeof text, "%s:time_end", prefix[k]);
    taco_writer_column(w, 0, text, TACO_TIMESTAMP);
    for (i = 0; i < s->n; i++) {
        write_row(w, k, &s->rows[i]);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

/* ---- queries ---- */

/* Appends the ids of a query over a dataset, which is closed; says why it failed. */
static void list(taco_dataset *ds, const taco_query *q, taco_error *err, char *out)
{
    taco_cursor *c = ds ? taco_select(ds, q, err) : NULL;
    size_t n = strlen(out);
    while (taco_cursor_next(c)) {
        n += (size_t)snprintf(out + n, TEXT - n, "%s ", taco_cursor_text(c, "id"));
    }
    taco_cursor_close(c, err);
    taco_close(ds);
    CHECK_TEXT(err->text, "");
}

/* The same by comparing intervals: q has a box in degrees, or none, and days of 1970-01-01 and on,
   or none if from > to. */
static void expect(const double *box, int64_t from, int64_t to, bool timed, char *out)
{
    int i, k, turn;
    size_t n = strlen(out);
    for (i = 0; i < source_count; i++) {
        for (k = 0; k < sources[i].n; k++) {
            const sample *x = &sources[i].rows[k];
            bool hit = !box;
            for (turn = -1; box && turn <= 1; turn++) {
                double west = box[0], east = box[2] + (box[0] > box[2] ? 360 : 0);
                /* a box that does not cross 180 is where it is written */
                if (turn == 1 || (turn && box[0] <= box[2])) { continue; }
                hit = hit || (x->box[0] <= east + 360 * turn && x->box[2] >= west + 360 * turn &&
                              x->box[1] <= box[3] && x->box[3] >= box[1]);
            }
            if (hit && (!timed || (x->start >= from && x->start <= to))) {
                n += (size_t)snprintf(out + n, TEXT - n, "%s ", x->id);
            }
        }
    }
}

static void ask(kind k)
{
    static const char *const days[] = {"2019-04-14", "2019-04-20", "2019-04-29", "2019-05-10"};
    static const int64_t day_of[] = {18000, 18006, 18015, 18026};
    static char whole[TEXT], single[TEXT], wanted[TEXT];
    char time[64];
    double box[4];
    taco_error err;
    taco_query q;
    uint32_t a = rnd(4), b = a + rnd(4 - a);
    bool boxed = rnd(4) != 0, timed = !boxed || rnd(2);
    int i;
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    box[0] = k == UTM ? 1 + 0.25 * rnd(16) : (double)rnd(361) - 180;
    box[1] = k == UTM ? 36 + 0.25 * rnd(10) : (double)rnd(100) - 60;
    box[2] = k == UTM ? box[0] + 0.25 * rnd(8) : box[0] + rnd(60);
    box[3] = box[1] + rnd(20);
    if (box[2] > 180) { box[2] -= 360; }
    snprintf(time, sizeof time, "%s/%s", days[a], days[b]);
    q.bbox = boxed ? box : NULL;
    q.time = timed ? time : NULL;
    whole[0] = single[0] = wanted[0] = 0;
    list(taco_open_tacollection(DIR_ "/TACOLLECTION.json", &q, TACO_COLUMNS_INTERSECTION, NULL,
                                &err),
         &q, &err, whole);
    for (i = 0; i < source_count; i++) {
        list(taco_open(paths[i], NULL, &err), &q, &err, single);
    }
    CHECK_TEXT(whole, single);
    if (k == UTM) { return; }
    expect(q.bbox, day_of[a], day_of[b], timed, wanted);
    CHECK_TEXT(whole, wanted);
}

static void one_collection(void)
{
    taco_error err;
    kind k = (kind)rnd(KINDS);
    int i;
    memset(&err, 0, sizeof err);
    source_count = 1 + (int)rnd(SOURCES);
    for (i = 0; i < source_count; i++) {
        fill(&sources[i], k, i);
        make(i, k);
    }
    remove(DIR_ "/TACOLLECTION.json");
    CHECK(taco_create_tacollection(DIR_, paths, (size_t)source_count, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    if (rnd(4) == 0) { /* another one in its place, which may be as large */
        int n = sources[0].n;
        do {
            fill(&sources[0], k, 0);
        } while (sources[0].n != n);
        make(0, k);
    }
    for (i = 0; i < QUERIES; i++) {
        ask(k);
    }
}

static void random_collections(void)
{
    int i;
    for (i = 0; i < collections && test_bad < 10; i++) {
        one_collection();
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) { collections = atoi(argv[1]); }
    if (argc > 2) { state = (uint64_t)atoi(argv[2]); }
#if TACO__DIRS
    test_names_remove(DIR_);
    CHECK(taco__dir_make("build", NULL) && taco__dir_make(DIR_, NULL));
    RUN(random_collections);
#endif
    return test_end("routing");
}
