/* merged_collection.c - the collection of many datasets, with counts and extent of all

   In: the parts of a catalogue (catalogue.c); out: the text of its COLLECTION.json or
   TACOLLECTION.json, as the reference writes it: indented by four, everything beyond ASCII
   escaped. TACO 2.0 §6.6.

   Members keep the places they have in the first part's document; extent and taco:pit_schema are
   computed, taco:sources (and _tacocat in a __TACOCAT__) appended. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* ---- the collection ---- */

/* The box around all boxes; false where no part has one. Where one crosses the antimeridian
   (west > east) the others are turned towards it, so that the result is as narrow as can be;
   otherwise it is what the reference computes. */
static bool taco__merged_box(const taco__catalogue *m, double out[4])
{
    size_t i;
    int turn;
    bool any = false, crosses = false;
    double best;
    for (i = 0; i < m->count; i++) {
        crosses =
            crosses || (m->parts[i].has_spatial && m->parts[i].spatial[0] > m->parts[i].spatial[2]);
    }
    for (i = 0; i < m->count; i++) {
        const double *b = m->parts[i].spatial;
        double w = b[0], e = b[2] < b[0] ? b[2] + 360 : b[2], to = 0;
        if (!m->parts[i].has_spatial) { continue; }
        if (!any) {
            out[0] = w;
            out[1] = b[1];
            out[2] = e;
            out[3] = b[3];
            any = true;
            continue;
        }
        for (turn = -1, best = 1e9; turn <= 1; turn++) {
            double wide = TACO__MAX(out[2], e + turn * 360) - TACO__MIN(out[0], w + turn * 360);
            if ((crosses || turn == 0) && wide < best) {
                best = wide;
                to = turn * 360;
            }
        }
        out[0] = TACO__MIN(out[0], w + to);
        out[2] = TACO__MAX(out[2], e + to);
        out[1] = TACO__MIN(out[1], b[1]);
        out[3] = TACO__MAX(out[3], b[3]);
    }
    if (any && crosses && out[2] - out[0] >= 360) {
        out[0] = -180;
        out[2] = 180;
    } else if (any && crosses) {
        out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0;
        out[2] += out[2] < -180 ? 360 : out[2] > 180 ? -360 : 0;
    }
    return any;
}

/* Appends [west, south, east, north]. */
static bool taco__merged_write_box(taco__buf *b, const double box[4], taco_error *err)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < 4; i++) {
        ok = taco__buf_append_char(b, i ? ',' : '[', err) &&
             taco__document_write_double(b, box[i], err);
    }
    return ok && taco__buf_append_char(b, ']', err);
}

/* Appends ["first", "last"]. */
static bool taco__merged_write_times(taco__buf *b, const char *first, const char *last,
                                     taco_error *err)
{
    return taco__buf_append_char(b, '[', err) &&
           taco__json_print_text(b, taco__bytes_text(first), err) &&
           taco__buf_append_char(b, ',', err) &&
           taco__json_print_text(b, taco__bytes_text(last), err) &&
           taco__buf_append_char(b, ']', err);
}

/* Appends extent: the box, and the earliest and latest time as the parts wrote them. No box where a
   part has none: it must cover all (§6.6). */
static bool taco__merged_write_extent(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    double box[4] = {-180, -90, 180, 90};
    const char *text[2] = {NULL, NULL};
    int64_t best[2] = {0, 0};
    size_t i, k;
    taco__merged_box(m, box);
    for (i = 0; i < m->count; i++) {
        for (k = 0; m->parts[i].has_temporal && k < 2; k++) {
            int64_t us;
            bool date;
            if (taco__time_parse(taco__bytes_text(m->parts[i].temporal[k]), &us, &date) &&
                (!text[k] || (k ? us > best[k] : us < best[k]))) {
                text[k] = m->parts[i].temporal[k];
                best[k] = us;
            }
        }
    }
    for (i = 0; i < m->count && m->parts[i].has_spatial; i++) {}
    return taco__buf_append_char(b, '{', err) &&
           (i < m->count ||
            (taco__buf_append_text(b, "\"spatial\":", err) && taco__merged_write_box(b, box, err) &&
             taco__buf_append_char(b, ',', err))) &&
           taco__buf_append_text(b, "\"temporal\":", err) &&
           (text[0] && text[1] ? taco__merged_write_times(b, text[0], text[1], err)
                               : taco__buf_append_text(b, "null", err)) &&
           taco__buf_append_char(b, '}', err);
}

/* Appends a pattern, or the root, with another n; without one where n is negative. */
static bool taco__merged_write_pattern(const taco__json *node, int64_t n, taco__buf *b,
                                       taco_error *err)
{
    static const char *const skip[] = {"n"};
    bool first = n < 0;
    return taco__buf_append_char(b, '{', err) &&
           (n < 0 ||
            (taco__buf_append_text(b, "\"n\":", err) && taco__document_write_int(b, n, err))) &&
           taco__document_copy_members(node, skip, 1, &first, b, err) &&
           taco__buf_append_char(b, '}', err);
}

/* Appends taco:pit_schema of the first part with the counts of all; shape where all parts have
   one. */
static bool taco__merged_write_pit_schema(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    const taco__pit *pit = &m->coll.pit;
    uint32_t d;
    size_t i;
    bool ok = taco__buf_append_text(b, "{\"root\":", err) &&
              taco__merged_write_pattern(taco__json_get(m->coll.pit_schema, "root"),
                                         (int64_t)m->rows[0], b, err),
         any = false;
    if (ok && m->shaped) {
        ok = taco__buf_append_text(b, ",\"shape\":[", err) &&
             taco__document_write_int(b, (int64_t)m->rows[0], err);
        for (i = 1; ok && i < m->levels; i++) {
            ok =
                taco__buf_append_char(b, ',', err) && taco__document_write_int(b, m->shape[i], err);
        }
        ok = ok && taco__buf_append_char(b, ']', err);
    }
    ok = ok && taco__buf_append_text(b, ",\"hierarchy\":{", err);
    for (d = 0; ok && d < TACO__PIT_MAX_DEPTH; d++) {
        char key[] = "\"1\":[";
        if (!pit->levels[d].present) { continue; }
        key[1] = (char)('1' + d);
        ok = (!any || taco__buf_append_char(b, ',', err)) && taco__buf_append_text(b, key, err);
        any = true;
        for (i = 0; ok && i < pit->levels[d].count; i++) {
            ok = (!i || taco__buf_append_char(b, ',', err)) &&
                 taco__merged_write_pattern(pit->levels[d].patterns[i].node, m->sums[d][i], b, err);
        }
        ok = ok && taco__buf_append_char(b, ']', err);
    }
    return ok && taco__buf_append_text(b, "}}", err);
}

/* Appends taco:sources: number, ids, file names and extents of the parts. */
static bool taco__merged_write_sources(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    size_t i;
    bool ok = taco__buf_append_text(b, "{\"count\":", err) &&
              taco__document_write_int(b, (int64_t)m->count, err) &&
              taco__buf_append_text(b, ",\"ids\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__json_print_text(b, taco__bytes_text(m->parts[i].id), err);
    }
    ok = ok && taco__buf_append_text(b, "],\"files\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__json_print_text(b, taco__bytes_text(m->parts[i].name), err);
    }
    ok = ok && taco__buf_append_text(b, "],\"extents\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        const taco__catalogue_part *p = &m->parts[i];
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__buf_append_text(b, "{\"file\":", err) &&
             taco__json_print_text(b, taco__bytes_text(p->name), err) &&
             taco__buf_append_text(b, ",\"id\":", err) &&
             taco__json_print_text(b, taco__bytes_text(p->id), err) &&
             (!p->has_spatial || (taco__buf_append_text(b, ",\"spatial\":", err) &&
                                  taco__merged_write_box(b, p->spatial, err))) &&
             (!p->has_temporal ||
              (taco__buf_append_text(b, ",\"temporal\":", err) &&
               taco__merged_write_times(b, p->temporal[0], p->temporal[1], err))) &&
             taco__buf_append_char(b, '}', err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}

/* Appends _tacocat, which the first writers of __TACOCAT__ left there; readers of today do not
   look at it. */
static bool taco__merged_write_note(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    size_t i;
    bool ok = taco__buf_append_text(b, "{\"version\":1,\"num_datasets\":", err) &&
              taco__document_write_int(b, (int64_t)m->count, err) &&
              taco__buf_append_text(b, ",\"dataset_sources\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__json_print_text(b, taco__bytes_text(m->parts[i].name), err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}

/* Appends text with everything beyond ASCII as \uXXXX, in surrogate pairs where needed. text is
   valid UTF-8: the parser saw to that. */
static bool taco__merged_escape_ascii(taco_bytes text, taco__buf *out, taco_error *err)
{
    static const char hex[] = "0123456789abcdef";
    size_t i = 0;
    bool ok = true;
    while (ok && i < text.len) {
        size_t from = i, k, n;
        uint32_t c, half[2];
        while (i < text.len && text.data[i] < 0x80) {
            i++;
        }
        ok = taco__buf_append(out, text.data + from, i - from, err);
        if (!ok || i == text.len) { break; }
        n = taco__utf8_length(text.data + i, text.data + text.len);
        if (n < 2) { /* cannot be: the parser let it in */
            i++;
            continue;
        }
        c = text.data[i] & (0x7FU >> n);
        for (k = 1; k < n; k++) {
            c = c << 6 | (text.data[i + k] & 0x3FU);
        }
        i += n;
        half[0] = c < 0x10000U ? c : 0xD800U + ((c - 0x10000U) >> 10);
        half[1] = 0xDC00U + ((c - 0x10000U) & 0x3FFU);
        for (k = 0; ok && k < (c < 0x10000U ? 1U : 2U); k++) {
            char esc[6] = {'\\', 'u', 0, 0, 0, 0};
            unsigned d;
            for (d = 0; d < 4; d++) {
                esc[2 + d] = hex[half[k] >> (12 - 4 * d) & 15];
            }
            ok = taco__buf_append(out, esc, 6, err);
        }
    }
    return ok;
}

/* Appends the merged document; note: with _tacocat. */
TACO__FN bool taco__merged_write(taco__catalogue *m, bool note, taco__buf *out, taco_error *err)
{
    static const char *const skip[] = {"taco:sources", "_tacocat", "taco:subset_of",
                                       "taco:subset_date"};
    const taco__json *root = m->coll.doc.root, *key;
    taco__buf b, pretty;
    taco__arena arena;
    taco__json_doc doc;
    uint32_t i;
    size_t k;
    bool ok, first = true;
    memset(&b, 0, sizeof b);
    b.mem = arena.mem = &m->mem;
    arena.head = NULL;
    pretty = b;
    ok = taco__buf_append_char(&b, '{', err);
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        for (k = 0; k < TACO__COUNT(skip) && !taco__json_equals(key, skip[k]); k++) {}
        if (k < TACO__COUNT(skip) || taco__json_get_bytes(root, taco__json_bytes(key)) != key + 1) {
            continue;
        }
        ok =
            (first || taco__buf_append_char(&b, ',', err)) &&
            taco__json_print_text(&b, taco__json_bytes(key), err) &&
            taco__buf_append_char(&b, ':', err) &&
            (taco__json_equals(key, "extent")            ? taco__merged_write_extent(m, &b, err)
             : taco__json_equals(key, "taco:pit_schema") ? taco__merged_write_pit_schema(m, &b, err)
                                                         : taco__json_print(&b, key + 1, 0, err));
        first = false;
    }
    ok = ok && taco__buf_append_text(&b, ",\"taco:sources\":", err) &&
         taco__merged_write_sources(m, &b, err) &&
         (!note || (taco__buf_append_text(&b, ",\"_tacocat\":", err) &&
                    taco__merged_write_note(m, &b, err))) &&
         taco__buf_append_char(&b, '}', err) &&
         taco__json_parse(&arena, taco__bytes_of(b.data, b.len), &m->options.limits, &doc, err) ==
             TACO_OK &&
         taco__json_print(&pretty, doc.root, 4, err) &&
         taco__merged_escape_ascii(taco__bytes_of(pretty.data, pretty.len), out, err);
    taco__arena_free(&arena);
    taco__buf_free(&b);
    taco__buf_free(&pretty);
    return ok;
}
