/* map.c - taco query --format map: where the samples are, on a map of characters that fits the
   terminal. Cells are two degrees high and one wide if the map shows the whole globe, and smaller
   if the samples are close together; the more samples have their middle in a cell, the heavier its
   character. Positions come from the footprints in GeoJSON output. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Middles of footprints, in degrees. */
typedef struct points {
    double (*xy)[2];
    size_t count;
    /* rows without a footprint */
    uint64_t without;
    /* W, S, E, N */
    double box[4];
} points;

/* ---- positions ---- */

bool footprint_box(const char *at, const char *end, double box[4])
{
    size_t n = 0;
    while (at < end) {
        char *next;
        double x;
        if (!strchr("-0123456789", *at)) {
            at++;
            continue;
        }
        x = strtod(at, &next);
        if (n < 2 || x < box[n % 2]) { box[n % 2] = x; }
        if (n < 2 || x > box[2 + n % 2]) { box[2 + n % 2] = x; }
        n++;
        at = next;
    }
    return n >= 2;
}

/* Start of the coordinates of a feature, whose geometry is at the end of its line; NULL if it has
   none. */
static const char *find_coordinates(const char *line, const char *end)
{
    static const char name[] = "\"coordinates\":";
    const char *i;
    for (i = end - 1; i > line; i--) {
        if (*i == '"' && (size_t)(end - i) > sizeof name && memcmp(i, name, sizeof name - 1) == 0) {
            return i + sizeof name - 1;
        }
    }
    return NULL;
}

/* The map's footprint_visitor: adds the middle of the geometry. */
static void add_point(void *ctx, const char *coordinates, size_t n)
{
    points *p = (points *)ctx;
    double box[4];
    if (!coordinates || !footprint_box(coordinates, coordinates + n, box)) {
        p->without++;
        return;
    }
    p->xy = (double(*)[2])grow_list(p->xy, p->count, sizeof *p->xy);
    p->xy[p->count][0] = (box[0] + box[2]) / 2;
    p->xy[p->count][1] = (box[1] + box[3]) / 2;
    p->count++;
}

/* The rest of a text after its last complete line. */
typedef struct line_buffer {
    char *text;
    size_t len, room;
} line_buffer;

/* Appends text, and takes complete lines with features out of it. */
static void add_text(line_buffer *b, taco_bytes text, footprint_visitor visit, void *ctx)
{
    char *line, *end;
    if (!text.len) { return; }
    if (b->len + text.len > b->room) {
        b->room = 2 * (b->len + text.len);
        b->text = (char *)grow_list(b->text, 0, b->room);
    }
    memcpy(b->text + b->len, text.data, text.len);
    b->len += text.len;
    line = b->text;
    while ((end = (char *)memchr(line, '\n', b->len - (size_t)(line - b->text))) != NULL) {
        if (end - line > 20 && strncmp(line, "{\"type\":\"Feature\",", 18) == 0) {
            const char *at = find_coordinates(line, end);
            visit(ctx, at, at ? (size_t)(end - at) : 0);
        }
        line = end + 1;
    }
    b->len -= (size_t)(line - b->text);
    memmove(b->text, line, b->len);
}

bool visit_footprints(const arguments *a, taco_dataset *ds, footprint_visitor visit, void *ctx,
                      taco_error *err)
{
    taco_footprints *f = taco_footprints_open(ds, &a->query, TACO_FOOTPRINTS_GEOJSON, err);
    line_buffer rest;
    taco_bytes text;
    memset(&rest, 0, sizeof rest);
    while (taco_footprints_next(f, &text)) {
        add_text(&rest, text, visit, ctx);
    }
    if (f) { taco_footprints_close(f, err); }
    free(rest.text);
    return err->code == TACO_OK;
}

/* ---- the map ---- */

/* Sets the box of all points, with a margin, and a minimum size. */
static void frame(points *p)
{
    size_t i, k;
    for (i = 0; i < p->count; i++) {
        for (k = 0; k < 2; k++) {
            double x = p->xy[i][k];
            if (!i || x < p->box[k]) { p->box[k] = x; }
            if (!i || x > p->box[k + 2]) { p->box[k + 2] = x; }
        }
    }
    for (k = 0; k < 2; k++) {
        double margin = (p->box[k + 2] - p->box[k]) * 0.05 + 0.01, most = k ? 90 : 180;
        p->box[k] = p->box[k] - margin < -most ? -most : p->box[k] - margin;
        p->box[k + 2] = p->box[k + 2] + margin > most ? most : p->box[k + 2] + margin;
    }
}

/* Number of lines of a map with `width` columns: characters are twice as high as wide. */
static size_t map_height(const points *p, size_t width)
{
    double lines = (p->box[3] - p->box[1]) / (p->box[2] - p->box[0]) * (double)width / 2;
    return lines < 3 ? 3 : lines > 40 ? 40 : (size_t)lines;
}

static void print_map(const points *p, size_t width, FILE *to)
{
    static const char marks[] = " .:*#@";
    size_t height = map_height(p, width), i, x, y, most = 1;
    size_t *cells = (size_t *)grow_list(NULL, 0, width * height * sizeof *cells);
    memset(cells, 0, width * height * sizeof *cells);
    for (i = 0; i < p->count; i++) {
        double u = (p->xy[i][0] - p->box[0]) / (p->box[2] - p->box[0]);
        double v = (p->box[3] - p->xy[i][1]) / (p->box[3] - p->box[1]);
        x = (size_t)(u * (double)width);
        y = (size_t)(v * (double)height);
        x = x < width ? x : width - 1;
        y = y < height ? y : height - 1;
        if (++cells[y * width + x] > most) { most = cells[y * width + x]; }
    }
    fprintf(to, "%.5g N\n", p->box[3]);
    for (y = 0; y < height; y++) {
        putc('|', to);
        for (x = 0; x < width; x++) {
            size_t n = cells[y * width + x], mark = 0, step;
            /* each mark is for four times as many as the one before; single samples look alike */
            for (step = 1; n && mark < 5; step *= 4) {
                mark++;
                if (n <= step) { break; }
            }
            putc(marks[n ? mark : 0], to);
        }
        fputs("|\n", to);
    }
    fprintf(to, "%.5g N, %.5g E to %.5g E\n", p->box[1], p->box[0], p->box[2]);
}

int print_footprint_map(const arguments *a, taco_dataset *ds, taco_error *err)
{
    points p;
    size_t width = to_terminal(a) ? terminal_width() : 80;
    memset(&p, 0, sizeof p);
    if (!visit_footprints(a, ds, add_point, &p, err)) { return FAILED; }
    if (p.count) {
        frame(&p);
        print_map(&p, width - 2, stdout);
    }
    print_count(stdout, p.count);
    printf(" sample%s", p.count == 1 ? "" : "s");
    if (p.without) {
        printf(", and ");
        print_count(stdout, p.without);
        printf(" without a place");
    }
    printf("\n");
    return flush_stdout(DONE);
}
