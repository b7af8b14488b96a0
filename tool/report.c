/* report.c - taco report: one HTML page about a dataset, or the rows that pass filters: what it is,
   where its samples are, what its columns contain, pictures of a few samples. All numbers come from
   SELECTs over the tables, so that a large dataset takes no more memory than these. */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* bars of a histogram */
    BINS = 24,
    /* a column with at most so many distinct values has classes */
    MOST_CLASSES = 20,
    /* most columns drawn for each level */
    MOST_CHARTS = 30,
    /* an image of a sample, in pixels and bytes */
    THUMBNAIL = 192,
    MOST_IMAGE = 4 << 20
};

/* A report being written. */
typedef struct report {
    page page;
    const arguments *a;
    taco_dataset *ds;
    /* the rows of level 0 that pass the filters */
    taco_view *view;
    bool filtered;
} report;

static const char style[] =
    ":root{color-scheme:light "
    "dark;--fg:#1d2430;--bg:#fff;--soft:#5b6575;--line:#d9dee6;--box:#f6f8fa;"
    "--sea:#e3edf5;--land:#fbf8ef;--mark:#c2410c;--bar:#2f6f9f}"
    "@media(prefers-color-scheme:dark){:root{--fg:#e4e8ee;--bg:#14181f;--soft:#9aa5b5;--line:#"
    "2d3542;"
    "--box:#1b212b;--sea:#1a2733;--land:#2a2d2b;--mark:#fb923c;--bar:#5ba3d0}}"
    "*{box-sizing:border-box}body{margin:0 auto;padding:1.5rem 1rem "
    "3rem;max-width:70rem;color:var(--fg);"
    "background:var(--bg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.2rem 0 "
    ".8rem;"
    "border-bottom:1px solid var(--line);padding-bottom:.3rem}h3{font-size:1rem;margin:0 0 .2rem}"
    "p{margin:.3rem 0}.soft{color:var(--soft);font-size:.88rem}"
    "dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.25rem 1rem;margin:1rem 0}"
    "dt{color:var(--soft)}dd{margin:0}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:"
    "1rem}"
    ".card{border:1px solid var(--line);background:var(--box);border-radius:8px;padding:.8rem 1rem;"
    "min-width:0}svg{display:block;width:100%;height:auto}"
    ".maps{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}.map{flex:1 1 "
    "30rem;min-width:0;"
    "border:1px solid var(--line)}.globe{flex:0 1 15rem;border:1px solid var(--line)}"
    ".sea{fill:var(--sea)}.land{fill:var(--land);stroke:var(--line)}.grid{stroke:var(--soft);"
    "stroke-opacity:.3;fill:none}.map text{font-size:14px;fill:var(--soft)}"
    ".tile{fill:var(--mark);fill-opacity:.3;stroke:var(--mark)}.cell{fill:var(--mark)}"
    ".here{fill:none;stroke:var(--mark);stroke-width:2.5}.bar{fill:var(--bar)}"
    ".ends{display:flex;justify-content:space-between;gap:1rem}"
    ".classes{display:grid;grid-template-columns:minmax(3rem,max-content) 1fr max-content;"
    "gap:.2rem .6rem;align-items:center;font-size:.9rem}.classes b{display:block;height:.8rem;"
    "background:var(--bar);border-radius:2px;min-width:1px}"
    ".name{max-width:11rem}.count{text-align:right;font-variant-numeric:tabular-nums}"
    ".end{margin-top:2rem}.plain{fill:var(--box)}.scroll{overflow-x:auto}table{border-collapse:"
    "collapse;width:100%;font-size:.9rem}"
    "th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);"
    "vertical-align:top}td.number,th.number{text-align:right;white-space:nowrap;"
    "font-variant-numeric:tabular-nums}"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:1rem}"
    "figure{margin:0}figure img{width:100%;image-rendering:pixelated;border:1px solid var(--line)}"
    "@media(max-width:40rem){.map text{font-size:30px}.map .odd{display:none}.map circle{r:9px}}"
    ".tile,.grid{vector-effect:non-scaling-stroke}"
    "figcaption{font-size:.85rem;color:var(--soft)}code{font-size:.85em}";

/* ---- text ---- */

static void text(report *r, const char *s)
{
    page_escaped(&r->page, s ? s : "", s ? strlen(s) : 0);
}

/* Writes a row of facts; nothing if there is no text. */
static void fact(report *r, const char *label, const char *value)
{
    if (!value || !*value) { return; }
    page_print(&r->page, "<dt>%s</dt><dd>", label);
    text(r, value);
    page_html(&r->page, "</dd>\n");
}

/* Writes a value of the collection: lists of texts with commas, objects as they are. */
static void fact_json(report *r, const char *label, const char *key)
{
    taco_bytes json = taco_collection(r->ds, key);
    char *copy, *to;
    size_t i;
    bool inside = false;
    if (!json.data || (json.len == 4 && memcmp(json.data, "null", 4) == 0)) { return; }
    copy = to = (char *)grow_list(NULL, 0, 2 * json.len + 1);
    for (i = 0; i < json.len; i++) {
        char c = (char)json.data[i];
        inside = c == '"' && (!i || json.data[i - 1] != '\\') ? !inside : inside;
        if (c == '"' || (!inside && strchr("[]{}\r\n\t ", c))) { continue; }
        if (!inside && json.len - i >= 4 && memcmp(json.data + i, "null", 4) == 0) {
            /* removes an empty member, with its name */
            while (to > copy && *--to != ',') {}
            i += 3;
            continue;
        }
        if (!inside && c == ',' && to == copy) { continue; }
        *to++ = c;
        if (!inside && (c == ',' || c == ':')) { *to++ = ' '; }
    }
    *to = 0;
    fact(r, label, copy);
    free(copy);
}

/* ---- rows of SELECTs ---- */

/* Runs a SELECT over the rows of the report. Returns its cursor, which the caller closes; NULL if
   it fails, such as for a type that a function does not accept. */
static taco_cursor *select_rows(report *r, const char *sql)
{
    taco_view *v = taco_view_sql(r->view, sql, NULL);
    taco_cursor *rows = taco_view_rows(v, NULL);
    taco_view_free(v);
    return rows;
}

/* A name in double quotes, which the caller frees. */
static char *quoted(const char *name)
{
    char *out = (char *)grow_list(NULL, 0, 2 * strlen(name) + 3), *to = out;
    *to++ = '"';
    for (; *name; name++) {
        if (*name == '"') { *to++ = '"'; }
        *to++ = *name;
    }
    strcpy(to, "\"");
    return out;
}

/* The text with each @ replaced by the quoted name of the column; the caller frees it. */
static char *with_column(const char *select, const char *column)
{
    char *name = quoted(column);
    size_t n = strlen(name), room = 1;
    const char *c;
    char *sql, *to;
    for (c = select; *c; c++) {
        room += *c == '@' ? n : 1;
    }
    sql = to = (char *)grow_list(NULL, 0, room);
    for (c = select; *c; c++) {
        if (*c == '@') {
            memcpy(to, name, n);
            to += n;
        } else {
            *to++ = *c;
        }
    }
    *to = 0;
    free(name);
    return sql;
}

/* The rows of a SELECT in which @ is the name of the column. */
static taco_cursor *select_column(report *r, const char *select, const char *column)
{
    char *sql = with_column(select, column);
    taco_cursor *rows = select_rows(r, sql);
    free(sql);
    return rows;
}

/* ---- what it is ---- */

static void write_facts(report *r)
{
    taco_cursor *rows;
    extent e;
    const char *format = taco_dataset_format(r->ds);
    static const char *const kinds[] = {"", "archive", "FOLDER", "catalogue", "other format"};
    page_html(&r->page, "<dl>\n");
    fact(r, "id", taco_id(r->ds));
    fact(r, "version", taco_dataset_version(r->ds));
    fact(r, "kind", format && *format ? format : kinds[taco_dataset_kind(r->ds) % 5]);
    fact_json(r, "tasks", "tasks");
    fact_json(r, "licences", "licenses");
    fact_json(r, "keywords", "keywords");
    fact_json(r, "providers", "providers");
    fact_json(r, "curators", "curators");
    read_extent(r->ds, &e);
    if (e.has_box) {
        page_print(
            &r->page,
            "<dt>extent</dt><dd>%.6g, %.6g to %.6g, %.6g (west, south to east, north)</dd>\n",
            e.box[0] + 0.0, e.box[1] + 0.0, e.box[2] + 0.0, e.box[3] + 0.0);
    }
    if (e.has_time) {
        page_html(&r->page, "<dt>time</dt><dd>");
        text(r, e.from);
        page_html(&r->page, " to ");
        text(r, e.to);
        page_html(&r->page, "</dd>\n");
    }
    rows = r->filtered ? select_rows(r, "SELECT count(*) AS n FROM data") : NULL;
    if (taco_cursor_next(rows)) {
        int64_t n = 0;
        taco_cursor_int(rows, "n", &n);
        page_html(&r->page, "<dt>shown</dt><dd>");
        page_number(&r->page, (double)n);
        page_html(&r->page, " samples, which the filters leave</dd>\n");
    }
    taco_cursor_close(rows, NULL);
    page_html(&r->page, "</dl>\n");
}

/* Writes a row for each level: the number of samples of each type, and their bytes. */
static void write_levels(report *r)
{
    uint32_t level;
    page_html(
        &r->page,
        "<h2>Levels</h2>\n<div class=\"scroll\"><table><tr><th>level</th>"
        "<th>type</th><th class=\"number\">samples</th><th class=\"number\">bytes</th></tr>\n");
    for (level = 0; level < taco_levels(r->ds); level++) {
        char sql[200];
        taco_cursor *rows;
        size_t n;
        const taco_field *fields = taco_level_fields(r->ds, level, &n, NULL);
        bool sizes = fields && find_field(fields, n, "internal:size") < n;
        sprintf(sql, "SELECT type, count(*) AS n%s FROM level%u GROUP BY type ORDER BY type",
                sizes ? ", sum(\"internal:size\") AS bytes" : "", (unsigned)level);
        /* for all samples, regardless of the filters */
        rows = taco_sql(r->ds, sql, NULL);
        while (taco_cursor_next(rows)) {
            int64_t count = 0;
            double bytes;
            taco_cursor_int(rows, "n", &count);
            page_print(&r->page, "<tr><td>%u</td><td>", (unsigned)level);
            text(r, taco_cursor_text(rows, "type"));
            page_html(&r->page, "</td><td class=\"number\">");
            page_number(&r->page, (double)count);
            page_html(&r->page, "</td><td class=\"number\">");
            if (taco_cursor_double(rows, "bytes", &bytes)) { page_number(&r->page, bytes); }
            page_html(&r->page, "</td></tr>\n");
        }
        taco_cursor_close(rows, NULL);
    }
    page_html(&r->page, "</table></div>\n");
}

static void write_map(report *r)
{
    footprint_list f;
    taco_error err = {0};
    memset(&f, 0, sizeof f);
    if (*taco_dataset_format(r->ds) || !visit_footprints(r->a, r->ds, add_footprint, &f, &err) ||
        !f.count) {
        free(f.boxes);
        return;
    }
    page_html(&r->page, "<h2>Where</h2>\n");
    page_map(&r->page, &f);
    page_html(&r->page, "<p class=\"soft\">");
    page_number(&r->page, (double)f.count);
    page_print(&r->page, " footprint%s%s", f.count == 1 ? "" : "s",
               f.shape_count < f.count ? ", counted in squares" : "");
    if (f.without) {
        page_html(&r->page, "; ");
        page_number(&r->page, (double)f.without);
        page_html(&r->page, " samples without a place");
    }
    page_html(&r->page, "</p>\n");
    free(f.boxes);
    free(f.shapes);
}

/* ---- columns ---- */

/* A summary of a column's contents. */
typedef struct summary {
    const taco_field *field;
    /* `data`, which has the rows that pass the filters, or levelN */
    char table[16];
    int64_t rows, values, distinct;
    /* has finite numbers or times */
    bool ordered;
    double low, high, mean;
    char low_text[80], high_text[80];
} summary;

static bool is_number(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_DECIMAL;
}

static bool is_time(taco_type t)
{
    return t == TACO_DATE || t == TACO_TIMESTAMP;
}

/* The column as a DOUBLE, with @ for its name. */
static const char *as_double(const taco_field *f)
{
    return is_time(f->type) ? "CAST(epoch(@) AS DOUBLE)" : "CAST(@ AS DOUBLE)";
}

/* Counts values and distinct values. */
static void count_values(report *r, summary *s)
{
    char select[200];
    taco_cursor *rows;
    sprintf(select, "SELECT count(*) AS n, count(@) AS k, count(DISTINCT @) AS d FROM %s",
            s->table);
    rows = select_column(r, select, s->field->name);
    if (taco_cursor_next(rows)) {
        taco_cursor_int(rows, "n", &s->rows);
        taco_cursor_int(rows, "k", &s->values);
        taco_cursor_int(rows, "d", &s->distinct);
    }
    taco_cursor_close(rows, NULL);
}

/* Adds bounds and mean, if the column is ordered. */
static void find_bounds(report *r, summary *s)
{
    char select[500];
    const char *x = as_double(s->field), *end;
    taco_cursor *rows;
    sprintf(select,
            "SELECT min(%s) AS lo, max(%s) AS hi, avg(%s) AS m, CAST(min(@) AS VARCHAR) AS a, "
            "CAST(max(@) AS VARCHAR) AS b FROM %s WHERE isfinite(%s)",
            x, x, x, s->table, x);
    rows = select_column(r, select, s->field->name);
    if (taco_cursor_next(rows)) {
        end = taco_cursor_text(rows, "a");
        sprintf(s->low_text, "%.79s", end ? end : "");
        end = taco_cursor_text(rows, "b");
        sprintf(s->high_text, "%.79s", end ? end : "");
        s->ordered = taco_cursor_double(rows, "lo", &s->low) &&
                     taco_cursor_double(rows, "hi", &s->high) &&
                     taco_cursor_double(rows, "m", &s->mean) && s->high - s->low < 1e300;
    }
    taco_cursor_close(rows, NULL);
}

/* Begins a card with the name of a column and how many values it has. */
static void open_card(report *r, const summary *s)
{
    page_html(&r->page, "<div class=\"card\"><h3>");
    text(r, s->field->name);
    page_html(&r->page, "</h3><p class=\"soft\">");
    page_number(&r->page, (double)s->values);
    page_html(&r->page, " values");
    if (s->values < s->rows) {
        page_html(&r->page, ", ");
        page_number(&r->page, (double)(s->rows - s->values));
        page_html(&r->page, " null");
    }
}

/* Draws numbers and times: how many are in each of BINS intervals between minimum and maximum. */
static void draw_histogram(report *r, const summary *s)
{
    uint64_t bins[BINS] = {0}, most = 1;
    char select[400];
    const char *x = as_double(s->field);
    taco_cursor *rows;
    int i;
    sprintf(select,
            "SELECT CAST(floor((%s - (%.17g)) * %d / (%.17g)) AS BIGINT) AS b, count(*) AS n "
            "FROM %s WHERE isfinite(%s) GROUP BY 1",
            x, s->low, BINS, s->high - s->low, s->table, x);
    rows = select_column(r, select, s->field->name);
    while (taco_cursor_next(rows)) {
        int64_t b, n = 0;
        if (!taco_cursor_int(rows, "b", &b) || b < 0 || !taco_cursor_int(rows, "n", &n)) {
            continue;
        }
        bins[b < BINS ? b : BINS - 1] += (uint64_t)n;
    }
    taco_cursor_close(rows, NULL);
    for (i = 0; i < BINS; i++) {
        most = bins[i] > most ? bins[i] : most;
    }
    open_card(r, s);
    if (is_number(s->field->type)) {
        page_html(&r->page, ", mean ");
        page_number(&r->page, s->mean);
    }
    page_html(&r->page,
              "</p>\n<svg viewBox=\"0 0 240 80\" role=\"img\" aria-label=\"histogram\">\n");
    for (i = 0; i < BINS; i++) {
        double height = 78.0 * (double)bins[i] / (double)most;
        height = bins[i] && height < 1 ? 1 : height;
        page_print(
            &r->page,
            "<rect class=\"bar\" x=\"%d.5\" y=\"%.1f\" width=\"9\" height=\"%.1f\"><title>%" PRIu64
            "</title></rect>\n",
            i * 10, 80 - height, height, bins[i]);
    }
    page_html(&r->page, "</svg><div class=\"ends soft\"><span>");
    text(r, s->low_text);
    page_html(&r->page, "</span><span>");
    text(r, s->high_text);
    page_html(&r->page, "</span></div></div>\n");
}

/* Draws classes: how often each value occurs. */
static void draw_classes(report *r, const summary *s)
{
    char select[200];
    taco_cursor *rows;
    int64_t most = 0, n;
    sprintf(select,
            "SELECT CAST(@ AS VARCHAR) AS v, count(*) AS n FROM %s GROUP BY 1 "
            "ORDER BY n DESC, v",
            s->table);
    rows = select_column(r, select, s->field->name);
    open_card(r, s);
    page_print(&r->page, ", %d different</p>\n<div class=\"classes\">\n", (int)s->distinct);
    while (taco_cursor_next(rows)) {
        const char *value = taco_cursor_text(rows, "v");
        if (!taco_cursor_int(rows, "n", &n) || !value) { continue; }
        most = most ? most : n;
        page_html(&r->page, "<span class=\"name\">");
        text(r, *value ? value : "(empty)");
        page_print(&r->page,
                   "</span><span><b style=\"width:%.1f%%\"></b></span><span class=\"count\">",
                   100.0 * (double)n / (double)most);
        page_number(&r->page, (double)n);
        page_print(&r->page, " (%.3g %%)</span>\n", 100.0 * (double)n / (double)s->values);
    }
    taco_cursor_close(rows, NULL);
    page_html(&r->page, "</div></div>\n");
}

/* Draws the chart of a column, if its type and values allow one. */
static bool draw_column(report *r, const taco_field *f, unsigned level)
{
    summary s;
    memset(&s, 0, sizeof s);
    s.field = f;
    strcpy(s.table, "data");
    if (level) { sprintf(s.table, "level%u", level); }
    if (strcmp(f->name, "id") == 0 || strcmp(f->name, "type") == 0 ||
        strncmp(f->name, "internal:", 9) == 0 ||
        (!is_number(f->type) && !is_time(f->type) && f->type != TACO_TEXT &&
         f->type != TACO_BOOL)) {
        return false;
    }
    count_values(r, &s);
    if (is_number(f->type) || is_time(f->type)) { find_bounds(r, &s); }
    if (!s.values) { return false; }
    if (s.distinct <= MOST_CLASSES && (f->type == TACO_TEXT || f->type == TACO_BOOL ||
                                       (is_number(f->type) && f->type <= TACO_UINT64))) {
        draw_classes(r, &s);
        return true;
    }
    if (!s.ordered || !(s.high > s.low)) { return false; }
    draw_histogram(r, &s);
    return true;
}

/* Levels below the first are only drawn without filters, which do not say which of their rows
   count. */
static void write_charts(report *r)
{
    uint32_t level, levels = r->filtered ? 1 : taco_levels(r->ds);
    for (level = 0; level < levels; level++) {
        size_t i, n, drawn = 0;
        const taco_field *fields = taco_level_fields(r->ds, level, &n, NULL);
        page_print(&r->page, "<h2>Columns of level %u</h2>\n<div class=\"cards\">\n",
                   (unsigned)level);
        for (i = 0; fields && i < n && drawn < MOST_CHARTS; i++) {
            drawn += draw_column(r, &fields[i], level);
        }
        page_html(&r->page, "</div>\n");
    }
}

/* ---- statistics of pixels ---- */

static void write_bands(report *r, const taco_stats *s)
{
    size_t i;
    page_html(&r->page,
              "<tr><th>band</th><th class=\"number\">min</th><th class=\"number\">max</th>"
              "<th class=\"number\">mean</th><th class=\"number\">std</th>"
              "<th class=\"number\">p25</th><th class=\"number\">p50</th>"
              "<th class=\"number\">p75</th><th class=\"number\">p95</th></tr>\n");
    for (i = 0; i < s->bands; i++) {
        const taco_band_stats *b = &s->band[i];
        const double values[8] = {b->min, b->max, b->mean, b->std, b->p25, b->p50, b->p75, b->p95};
        size_t k;
        page_print(&r->page, "<tr><td>%u</td>", (unsigned)i);
        for (k = 0; k < 8; k++) {
            page_print(&r->page, "<td class=\"number\">%.6g</td>", values[k]);
        }
        page_html(&r->page, "</tr>\n");
    }
}

static void write_shares(report *r, const taco_stats *s)
{
    size_t i, k;
    page_html(&r->page, "<tr><th>band</th><th>class</th><th class=\"number\">share</th></tr>\n");
    for (i = 0; i < s->bands; i++) {
        for (k = 0; k < s->classes; k++) {
            page_print(&r->page,
                       "<tr><td>%u</td><td>%u</td><td class=\"number\">%.3g %%</td></tr>\n",
                       (unsigned)i, (unsigned)k, 100 * s->share[i * s->classes + k]);
        }
    }
}

/* Writes the statistics stored in the rows, if there are any. */
static void write_pixels(report *r)
{
    taco_stats *s = taco_aggregate(r->ds, &r->a->query, NULL, NULL);
    if (!s) { return; }
    page_html(&r->page, "<h2>Pixels</h2>\n<div class=\"scroll\"><table>\n");
    if (s->band) {
        write_bands(r, s);
    } else {
        write_shares(r, s);
    }
    page_html(&r->page, "</table></div><p class=\"soft\">");
    text(r, s->column);
    page_html(&r->page, " of ");
    page_number(&r->page, (double)s->used);
    page_html(&r->page, " samples together</p>\n");
    taco_stats_free(s);
}

/* ---- pictures ---- */

/* The image of a FILE as a PNG, which the caller frees; NULL if GDAL is missing or the file is not
   an image. Only formats that cannot refer to other files are opened. */
static char *make_thumbnail(const char *vsi, size_t *len)
{
    const char *words[] = {"gdal_translate",
                           "-q",
                           "-of",
                           "PNG",
                           "-ot",
                           "Byte",
                           "-scale",
                           "-outsize",
                           "192",
                           "0",
                           "-if",
                           "GTiff",
                           "-if",
                           "PNG",
                           "-if",
                           "JPEG",
                           "-if",
                           "JP2OpenJPEG",
                           "-b",
                           "1",
                           "-b",
                           "2",
                           "-b",
                           "3",
                           vsi,
                           "/vsistdout/",
                           NULL};
    char *png = run_program(words, MOST_IMAGE, 20, len);
    if (!png) {
        /* one band */
        words[20] = vsi;
        words[21] = "/vsistdout/";
        words[22] = NULL;
        png = run_program(words, MOST_IMAGE, 20, len);
    }
    if (png && (*len < 8 || memcmp(png, "\x89PNG\r\n\x1a\n", 8) != 0)) {
        free(png);
        png = NULL;
    }
    return png;
}

/* Draws the sample of a row: itself, or its first child that is an image. */
static bool draw_sample(report *r, taco_cursor *row, const char *name, int depth)
{
    const char *type = taco_cursor_text(row, "type"), *vsi = taco_cursor_vsi(row);
    size_t len;
    char *png;
    if (type && strcmp(type, "FOLDER") == 0) {
        taco_cursor *children = depth < 6 ? taco_cursor_children(row, NULL) : NULL;
        bool drawn = false;
        int i;
        for (i = 0; i < 4 && !drawn && taco_cursor_next(children); i++) {
            drawn = draw_sample(r, children, name, depth + 1);
        }
        taco_cursor_close(children, NULL);
        return drawn;
    }
    png = vsi && *vsi ? make_thumbnail(vsi, &len) : NULL;
    if (!png) { return false; }
    page_html(&r->page, "<figure><img alt=\"\" src=\"");
    page_png(&r->page, png, len);
    page_html(&r->page, "\"><figcaption>");
    text(r, name);
    page_html(&r->page, "</figcaption></figure>\n");
    free(png);
    return true;
}

/* Draws samples spread over the rows. Gives up if the first ones are not images. */
static void write_pictures(report *r)
{
    taco_query q = r->a->query;
    taco_cursor *rows = select_rows(r, "SELECT count(*) AS n FROM data");
    int64_t count = 0, row = 0, next = 0;
    uint64_t drawn = 0, tried = 0, wanted = r->a->thumbnails;
    if (taco_cursor_next(rows)) { taco_cursor_int(rows, "n", &count); }
    taco_cursor_close(rows, NULL);
    rows = wanted ? taco_select(r->ds, &q, NULL) : NULL;
    for (; drawn < wanted && tried < drawn + 3 && taco_cursor_next(rows); row++) {
        const char *id = row == next ? taco_cursor_text(rows, "id") : NULL;
        if (row != next) { continue; }
        next += count / (int64_t)wanted > 1 ? count / (int64_t)wanted : 1;
        if (!drawn && !tried) { page_html(&r->page, "<section class=\"pictures\">\n"); }
        tried++;
        id = copy_text(id ? id : "");
        drawn += draw_sample(r, rows, id, 0);
    }
    if (tried) { page_html(&r->page, "</section>\n"); }
    taco_cursor_close(rows, NULL);
}

/* ---- the page ---- */

static void write_page(report *r)
{
    const char *title = taco_title(r->ds);
    size_t i;
    title = title && *title ? title : taco_id(r->ds);
    title = title && *title ? title : r->a->words[0];
    page_html(&r->page,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'; img-src data:\">\n<title>");
    text(r, title);
    page_html(&r->page, "</title>\n<style>");
    page_html(&r->page, style);
    page_html(&r->page, "</style></head>\n<body>\n<h1>");
    text(r, title);
    page_html(&r->page, "</h1>\n<p>");
    text(r, taco_description(r->ds));
    page_html(&r->page, "</p>\n");
    write_facts(r);
    write_map(r);
    write_pictures(r);
    write_levels(r);
    write_charts(r);
    write_pixels(r);
    page_html(&r->page, "<p class=\"soft end\">");
    for (i = 0; i < r->a->word_count; i++) {
        text(r, i ? ", " : "");
        text(r, r->a->words[i]);
    }
    page_html(&r->page, " &#183; taco " TACO_VERSION "</p>\n</body></html>\n");
}

/* Words: DATASET... */
static int run_report(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    report r;
    int status;
    if (a->word_count == 0) { return usage_error("report needs a DATASET", NULL); }
    if (to_terminal(a)) {
        return usage_error("report needs a file for its page: -o report.html", NULL);
    }
    if (a->thumbnails > 100) { return usage_error("--thumbnails", "must be at most 100"); }
    prepare_query(a);
    memset(&r, 0, sizeof r);
    r.a = a;
    r.filtered = a->filter_count > 0;
    r.ds = open_datasets(a, a->word_count, opt, &err);
    r.view = r.ds ? taco_view_open(r.ds, &a->query, &err) : NULL;
    status = r.view ? output_open(&r.page.out, a->output) : report_error(&err);
    if (status == DONE) {
        write_page(&r);
        status = output_close(&r.page.out, a->output, DONE);
    }
    taco_view_free(r.view);
    taco_close(r.ds);
    return status;
}

static const command_option report_options[] = {
    OPTION_AS("-o", NULL, "file to write, such as report.html"),
    OPTION("--overwrite"),
    OPTION("--thumbnails"),
    OPTION_HEADING("which samples: all filters must hold"),
    FILTER_OPTIONS(0),
    OPTION("--show-padding"),
    OPTION_HEADING("datasets"),
    OPTION("--base-path"),
    OPTION("--column-mode"),
    OPTION("--files-from"),
    OPTION_END,
};

const command report_command = {
    "report",
    "an HTML page about a dataset",
    "DATASET... -o report.html [filters]",
    "Writes a self-contained HTML page without scripts: facts, a map of the footprints, histograms "
    "and classes of the columns, statistics of the pixels, pictures of a few samples. Pictures are "
    "made by gdal_translate, if it is installed.",
    NULL,
    NULL,
    report_options,
    run_report,
    false,
    true,
    false,
};
