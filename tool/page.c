/* page.c - the parts of the page of taco report: escaped text, images, and a map drawn as SVG. A
   page needs no other files and no network, and has no scripts. */
#include "tool.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers, without libm ---- */

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double absolute(double x)
{
    return x < 0 ? -x : x;
}

/* The largest integer not above x, which is far below 2^63. */
static double round_down(double x)
{
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1 : whole;
}

/* Accurate to a thousandth up to 90 degrees. */
static double cosine(double degrees)
{
    double x = degrees * degrees * 3.0461741978670862e-4;
    return 1 - x / 2 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56)));
}

/* How often n can be halved, plus one. */
static double magnitude(size_t n)
{
    double steps = 1;
    for (; n > 1; n /= 2) {
        steps++;
    }
    return steps;
}

/* ---- text ---- */

static void write_text(page *p, const char *text, size_t n)
{
    taco_bytes b;
    b.data = (const uint8_t *)text;
    b.len = n;
    output_write_plain(&p->out, b);
}

void page_html(page *p, const char *html)
{
    write_text(p, html, strlen(html));
}

void page_print(page *p, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    page_html(p, text);
}

/* Length of the UTF-8 sequence at s; 0 if it is invalid. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    size_t len = s[0] < 0x80   ? 1
                 : s[0] < 0xC2 ? 0
                 : s[0] < 0xE0 ? 2
                 : s[0] < 0xF0 ? 3
                 : s[0] < 0xF5 ? 4
                               : 0,
           i;
    if (!len || len > n) { return 0; }
    for (i = 1; i < len; i++) {
        if ((s[i] & 0xC0) != 0x80) { return 0; }
    }
    return len;
}

void page_escaped(page *p, const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text, *end = s + n;
    while (s < end) {
        size_t len = utf8_length(s, (size_t)(end - s));
        const char *entity = *s == '&'    ? "&amp;"
                             : *s == '<'  ? "&lt;"
                             : *s == '>'  ? "&gt;"
                             : *s == '"'  ? "&quot;"
                             : *s == '\'' ? "&#39;"
                                          : NULL;
        /* C1 controls are two bytes */
        bool control = *s < 0x20 || *s == 0x7F || (*s == 0xC2 && len == 2 && s[1] < 0xA0);
        if (entity) {
            page_html(p, entity);
        } else if (!len || control) {
            page_html(p, *s == '\n' || *s == '\t' ? " " : "\xEF\xBF\xBD");
        } else {
            write_text(p, (const char *)s, len);
        }
        s += len ? len : 1;
    }
}

void page_number(page *p, double x)
{
    char digits[32];
    size_t i, len;
    if (!(absolute(x) < 1e15) || x != round_down(x)) {
        page_print(p, "%.6g", x);
        return;
    }
    len = (size_t)sprintf(digits, "%.0f", absolute(x));
    page_html(p, x < 0 ? "-" : "");
    for (i = 0; i < len; i++) {
        page_print(p, "%s%c", i && (len - i) % 3 == 0 ? "," : "", digits[i]);
    }
}

void page_png(page *p, const char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *s = (const unsigned char *)bytes;
    size_t i;
    page_html(p, "data:image/png;base64,");
    for (i = 0; i < n; i += 3) {
        unsigned left = (unsigned)(n - i < 3 ? n - i : 3);
        unsigned x = (unsigned)s[i] << 16 | (left > 1 ? (unsigned)s[i + 1] << 8 : 0) |
                     (left > 2 ? s[i + 2] : 0);
        char four[4];
        four[0] = digits[x >> 18];
        four[1] = digits[x >> 12 & 63];
        four[2] = left > 1 ? digits[x >> 6 & 63] : '=';
        four[3] = left > 2 ? digits[x & 63] : '=';
        write_text(p, four, 4);
    }
}

/* ---- the map ---- */

enum {
    /* if there are more footprints, they are drawn as squares of a grid */
    MOST_SHAPES = 3000,
    MAP_WIDTH = 1000,
    /* degrees; on smaller maps the outline of the land would look wrong */
    LEAST_LAND = 20,
    /* squares of the grid, from west to east */
    GRID_COLUMNS = 120
};

/* Degrees to pixels. */
typedef struct frame {
    double west, south, east, north;
    double width, height;
} frame;

void add_footprint(void *ctx, const char *coordinates, size_t n)
{
    footprint_list *f = (footprint_list *)ctx;
    f->boxes = (double(*)[4])grow_list(f->boxes, f->count, sizeof *f->boxes);
    if (!coordinates || !footprint_box(coordinates, coordinates + n, f->boxes[f->count])) {
        f->without++;
        return;
    }
    f->count++;
    if (f->shape_count == MOST_SHAPES) { return; }
    if (f->len + n + 1 > f->room) {
        f->room = 2 * (f->len + n + 1);
        f->shapes = (char *)grow_list(f->shapes, 0, f->room);
    }
    memcpy(f->shapes + f->len, coordinates, n);
    f->len += n;
    f->shapes[f->len++] = 0;
    f->shape_count++;
}

static double map_x(const frame *m, double lon)
{
    return (lon - m->west) / (m->east - m->west) * m->width;
}

static double map_y(const frame *m, double lat)
{
    return (m->north - lat) / (m->north - m->south) * m->height;
}

/* Makes a side at least `least` long, around its middle, within -most to most. */
static void widen(double *low, double *high, double least, double most)
{
    double middle = (*low + *high) / 2;
    if (*high - *low >= least) { return; }
    *low = middle - least / 2;
    *high = middle + least / 2;
    if (*low < -most) {
        *high = least - most > most ? most : least - most;
        *low = -most;
    } else if (*high > most) {
        *low = most - least < -most ? -most : most - least;
        *high = most;
    }
}

/* Bounds with a margin, in the proportions of their middle latitude: from 1:4 to 2:3 of the
   width. */
static void set_frame(frame *m, const footprint_list *f)
{
    size_t i;
    double k, x, y;
    m->west = m->south = 1e300;
    m->east = m->north = -1e300;
    for (i = 0; i < f->count; i++) {
        m->west = smaller(m->west, f->boxes[i][0]);
        m->south = smaller(m->south, f->boxes[i][1]);
        m->east = larger(m->east, f->boxes[i][2]);
        m->north = larger(m->north, f->boxes[i][3]);
    }
    m->west = larger(m->west, -180);
    m->east = smaller(m->east, 180);
    m->south = larger(m->south, -90);
    m->north = smaller(m->north, 90);
    widen(&m->west, &m->east, (m->east - m->west) * 1.2 + 0.02, 180);
    widen(&m->south, &m->north, (m->north - m->south) * 1.2 + 0.02, 90);
    k = larger(cosine((m->south + m->north) / 2), 0.3);
    x = (m->east - m->west) * k;
    y = m->north - m->south;
    if (y < x / 4) { widen(&m->south, &m->north, x / 4, 90); }
    if (y > x * 2 / 3) { widen(&m->west, &m->east, y * 1.5 / k, 180); }
    m->width = MAP_WIDTH;
    m->height = smaller(MAP_WIDTH * (m->north - m->south) / ((m->east - m->west) * k), 700);
}

static void draw_land(page *p, const frame *m)
{
    land_ring ring;
    size_t at = 0, i;
    while (next_land(&at, &ring)) {
        page_print(p, "<path class=\"%s\" d=\"", ring.water ? "sea" : "land");
        for (i = 0; i < ring.count; i++) {
            page_print(p, "%c%.1f %.1f", i ? 'L' : 'M', map_x(m, ring.corners[i][0] / 10.0),
                       map_y(m, ring.corners[i][1] / 10.0));
        }
        page_html(p, "z\"/>\n");
    }
}

/* Degrees between lines, so that there are at most eight. */
static double grid_step(double span)
{
    static const double steps[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                   0.5,   1,     2,     5,    10,   20,   30,  60};
    size_t i;
    for (i = 0; i < 15 && span / steps[i] > 8; i++) {}
    return steps[i];
}

/* Draws "30°W" at a position; every other one is hidden on narrow pages. sides: letters of negative
   and other degrees. */
static void draw_degrees(page *p, double x, double y, int64_t n, double step, const char *sides)
{
    char side[2] = {0, 0};
    if (n) { side[0] = sides[n > 0]; }
    page_print(p, "<text%s x=\"%.1f\" y=\"%.1f\">%.6g&#176;%s</text>\n",
               n % 2 ? " class=\"odd\"" : "", x, y, absolute((double)n * step), side);
}

/* Draws lines of longitude and latitude, with degrees at the edges. */
static void draw_grid(page *p, const frame *m)
{
    double step = grid_step(m->east - m->west);
    int64_t n;
    for (n = (int64_t)round_down(m->west / step) + 1; (double)n * step <= m->east; n++) {
        double x = map_x(m, (double)n * step);
        page_print(p, "<path class=\"grid\" d=\"M%.1f 0V%.1f\"/>\n", x, m->height);
        if (x < m->width - 90) { draw_degrees(p, x + 5, m->height - 6, n, step, "WE"); }
    }
    for (n = (int64_t)round_down(m->south / step) + 1; (double)n * step <= m->north; n++) {
        double y = map_y(m, (double)n * step);
        page_print(p, "<path class=\"grid\" d=\"M0 %.1fH%.1f\"/>\n", y, m->width);
        if (y > 35 && y < m->height - 45) { draw_degrees(p, 6, y - 5, n, step, "SN"); }
    }
}

/* Draws the rings of a geometry, parsed from the text of its coordinates. */
static void draw_rings(page *p, const frame *m, const char *at)
{
    bool open = false, closed = false;
    page_html(p, "<path class=\"tile\" d=\"");
    while (*at) {
        if (*at == ']') {
            /* the second ] in a row ends a ring */
            if (closed && open) {
                page_html(p, "z");
                open = false;
            }
            closed = true;
            at++;
        } else if (strchr("-0123456789", *at)) {
            char *next;
            double x = strtod(at, &next), y;
            next += strcspn(next, "-0123456789]");
            y = strtod(next, &next);
            page_print(p, "%c%.1f %.1f", open ? 'L' : 'M', map_x(m, x), map_y(m, y));
            open = true;
            closed = false;
            /* skips other dimensions */
            at = next + strcspn(next, "]");
        } else {
            at++;
        }
    }
    page_html(p, "\"/>\n");
}

/* Draws each footprint as it is, or as a dot if it would be smaller. */
static void draw_shapes(page *p, const frame *m, const footprint_list *f)
{
    const char *shape = f->shapes;
    size_t i;
    for (i = 0; i < f->count; i++) {
        const double *b = f->boxes[i];
        if (map_x(m, b[2]) - map_x(m, b[0]) < 5 && map_y(m, b[1]) - map_y(m, b[3]) < 5) {
            page_print(p, "<circle class=\"tile\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                       map_x(m, (b[0] + b[2]) / 2), map_y(m, (b[1] + b[3]) / 2));
        } else {
            draw_rings(p, m, shape);
        }
        shape += strlen(shape) + 1;
    }
}

/* Draws squares, the darker the more footprints have their middle there. */
static void draw_density(page *p, const frame *m, const footprint_list *f)
{
    double side = m->width / GRID_COLUMNS;
    size_t lines = (size_t)(m->height / side) + 1, i, most = 1;
    size_t *cells = (size_t *)grow_list(NULL, 0, lines * GRID_COLUMNS * sizeof *cells);
    memset(cells, 0, lines * GRID_COLUMNS * sizeof *cells);
    for (i = 0; i < f->count; i++) {
        const double *b = f->boxes[i];
        double x = map_x(m, (b[0] + b[2]) / 2) / side, y = map_y(m, (b[1] + b[3]) / 2) / side;
        size_t u = x < 0 ? 0 : x >= GRID_COLUMNS ? GRID_COLUMNS - 1 : (size_t)x;
        size_t v = y < 0 ? 0 : y >= (double)lines ? lines - 1 : (size_t)y;
        if (++cells[v * GRID_COLUMNS + u] > most) { most = cells[v * GRID_COLUMNS + u]; }
    }
    for (i = 0; i < lines * GRID_COLUMNS; i++) {
        const size_t column = i % GRID_COLUMNS, line = i / GRID_COLUMNS;
        if (!cells[i]) { continue; }
        page_print(p,
                   "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                   "fill-opacity=\"%.2f\"><title>%" PRIu64 "</title></rect>\n",
                   (double)column * side, (double)line * side, side, side,
                   0.25 + 0.75 * magnitude(cells[i]) / magnitude(most), (uint64_t)cells[i]);
    }
    free(cells);
}

/* Draws the globe, with the frame of the map on it. */
static void draw_globe(page *p, const frame *m)
{
    frame globe = {-180, -90, 180, 90, 360, 180};
    double x = map_x(&globe, m->west), y = map_y(&globe, m->north);
    page_html(
        p, "<svg class=\"globe\" viewBox=\"0 0 360 180\" role=\"img\" aria-label=\"where the map "
           "is on the globe\"><rect class=\"sea\" width=\"360\" height=\"180\"/>\n");
    draw_land(p, &globe);
    page_print(
        p, "<rect class=\"here\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></svg>\n",
        x - 2, y - 2, map_x(&globe, m->east) - x + 4, map_y(&globe, m->south) - y + 4);
}

void page_map(page *p, const footprint_list *f)
{
    frame m;
    bool land;
    set_frame(&m, f);
    land = m.east - m.west >= LEAST_LAND;
    page_html(p, "<div class=\"maps\">");
    page_print(p,
               "<svg class=\"map\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"map of the "
               "samples\"><rect class=\"%s\" width=\"%.0f\" height=\"%.0f\"/>\n",
               m.width, m.height, land ? "sea" : "plain", m.width, m.height);
    if (land) { draw_land(p, &m); }
    draw_grid(p, &m);
    if (f->shape_count == f->count) {
        draw_shapes(p, &m, f);
    } else {
        draw_density(p, &m, f);
    }
    page_html(p, "</svg>\n");
    if (m.east - m.west < 120) { draw_globe(p, &m); }
    page_html(p, "</div>\n");
}
