/* merged_collection.c - the collection of many datasets, with counts and extent of all

   In: the parts of a catalogue (catalogue.c); out: the text of its COLLECTION.json or
   TACOLLECTION.json, as the reference writes it: indented by four, everything beyond ASCII
   escaped. TACO 2.0 §6.6.

   Members keep the order of the first part's document; extent and taco:pit_schema are
   computed, taco:sources (and _tacocat in a __TACOCAT__) appended. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* ---- the collection ---- */

/* The box around all boxes; false if no part has one. If one crosses the antimeridian (west >
   east), the others are moved towards it, so that the result is as narrow as possible; otherwise it
   is what the reference computes. */
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

/* Writes [west, south, east, north]. */
static void taco__merged_write_box(taco__json_writer *w, const double box[4])
{
    size_t i;
    taco__json_write_begin(w, "spatial", '[');
    for (i = 0; i < 4; i++) {
        taco__json_write_double(w, NULL, box[i]);
    }
    taco__json_write_end(w, ']');
}

/* Writes ["first", "last"]. */
static void taco__merged_write_times(taco__json_writer *w, const char *first, const char *last)
{
    taco__json_write_begin(w, "temporal", '[');
    taco__json_write_quoted_value(w, NULL, taco__bytes_text(first));
    taco__json_write_quoted_value(w, NULL, taco__bytes_text(last));
    taco__json_write_end(w, ']');
}

/* Writes extent: the box, and the earliest and latest time as written in the parts. No box if a
   part has none, since it must cover all (§6.6). */
static void taco__merged_write_extent(const taco__catalogue *m, taco__json_writer *w)
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
    taco__json_write_begin(w, "extent", '{');
    if (i == m->count) { taco__merged_write_box(w, box); }
    if (text[0] && text[1]) {
        taco__merged_write_times(w, text[0], text[1]);
    } else {
        taco__json_write_text(w, "temporal", NULL);
    }
    taco__json_write_end(w, '}');
}

/* Writes a pattern, or the root, with another n; without one if n is negative. */
static void taco__merged_write_pattern(taco__json_writer *w, const char *key,
                                       const taco__json *node, int64_t n)
{
    static const char *const skip[] = {"n"};
    taco__json_write_begin(w, key, '{');
    if (n >= 0) { taco__json_write_i64(w, "n", n); }
    taco__document_copy_members(node, skip, 1, w);
    taco__json_write_end(w, '}');
}

/* Writes taco:pit_schema of the first part with the counts of all; shape only if all parts have
   one. */
static void taco__merged_write_pit_schema(const taco__catalogue *m, taco__json_writer *w)
{
    const taco__pit *pit = &m->coll.pit;
    uint32_t d;
    size_t i;
    taco__json_write_begin(w, "taco:pit_schema", '{');
    taco__merged_write_pattern(w, "root", taco__json_get(m->coll.pit_schema, "root"),
                               (int64_t)m->rows[0]);
    if (m->shaped) {
        taco__json_write_begin(w, "shape", '[');
        taco__json_write_u64(w, NULL, m->rows[0]);
        for (i = 1; i < m->levels; i++) {
            taco__json_write_i64(w, NULL, m->shape[i]);
        }
        taco__json_write_end(w, ']');
    }
    taco__json_write_begin(w, "hierarchy", '{');
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        char key[] = "1";
        if (!pit->levels[d].present) { continue; }
        key[0] = (char)('1' + d);
        taco__json_write_begin(w, key, '[');
        for (i = 0; i < pit->levels[d].count; i++) {
            taco__merged_write_pattern(w, NULL, pit->levels[d].patterns[i].node, m->sums[d][i]);
        }
        taco__json_write_end(w, ']');
    }
    taco__json_write_end(w, '}');
    taco__json_write_end(w, '}');
}

/* Writes taco:bounds of a part: what source_routing.c needs to leave it out; nothing for a FOLDER,
   whose files may change one by one. */
static void taco__merged_write_bounds(taco__json_writer *w, const taco__catalogue_part *p)
{
    const taco__extent *s = &p->span;
    bool box = s->box && !s->loose, times = s->times && !s->loose_times;
    double edge[4];
    char text[2][48];
    if (!p->is_file || !(box || times)) { return; }
    taco__json_write_begin(w, "taco:bounds", '{');
    taco__json_write_u64(w, "bytes", p->mark.bytes);
    taco__json_write_u64(w, "crc", p->mark.crc);
    if (box) {
        taco__extent_box(s, edge);
        taco__merged_write_box(w, edge);
    }
    if (times) {
        taco__extent_time_texts(s, text);
        taco__merged_write_times(w, text[0], text[1]);
    }
    taco__json_write_end(w, '}');
}

/* Writes taco:sources: number, ids, file names, extents and bounds of the parts. */
static void taco__merged_write_sources(const taco__catalogue *m, taco__json_writer *w)
{
    size_t i;
    taco__json_write_begin(w, "taco:sources", '{');
    taco__json_write_u64(w, "count", m->count);
    taco__json_write_begin(w, "ids", '[');
    for (i = 0; i < m->count; i++) {
        taco__json_write_quoted_value(w, NULL, taco__bytes_text(m->parts[i].id));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "files", '[');
    for (i = 0; i < m->count; i++) {
        taco__json_write_quoted_value(w, NULL, taco__bytes_text(m->parts[i].name));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "extents", '[');
    for (i = 0; i < m->count; i++) {
        const taco__catalogue_part *p = &m->parts[i];
        taco__json_write_begin(w, NULL, '{');
        taco__json_write_quoted_value(w, "file", taco__bytes_text(p->name));
        taco__json_write_quoted_value(w, "id", taco__bytes_text(p->id));
        if (p->has_spatial) { taco__merged_write_box(w, p->spatial); }
        if (p->has_temporal) { taco__merged_write_times(w, p->temporal[0], p->temporal[1]); }
        taco__merged_write_bounds(w, p);
        taco__json_write_end(w, '}');
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Writes _tacocat, as the first writers of __TACOCAT__ did; today's readers ignore it. */
static void taco__merged_write_note(const taco__catalogue *m, taco__json_writer *w)
{
    size_t i;
    taco__json_write_begin(w, "_tacocat", '{');
    taco__json_write_u64(w, "version", 1);
    taco__json_write_u64(w, "num_datasets", m->count);
    taco__json_write_begin(w, "dataset_sources", '[');
    for (i = 0; i < m->count; i++) {
        taco__json_write_quoted_value(w, NULL, taco__bytes_text(m->parts[i].name));
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Appends text with all non-ASCII characters as \uXXXX, in surrogate pairs if needed. text is valid
   UTF-8, as the parser checked. */
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
        if (n < 2) { /* impossible, as the parser checked */
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

/* Writes the members of the first part's document, with the extent and the PIT schema of all. */
static void taco__merged_write_members(const taco__catalogue *m, taco__json_writer *w)
{
    static const char *const skip[] = {"taco:sources", "_tacocat", "taco:subset_of",
                                       "taco:subset_date"};
    const taco__json *root = m->coll.doc.root, *key;
    taco__hash_map members;
    uint32_t i;
    size_t k;
    memset(&members, 0, sizeof members);
    members.mem = w->out->mem;
    w->ok = w->ok && taco__json_index_members(root, &members, w->err);
    for (i = 0, key = taco__json_first(root); i < root->count;
         i++, key = taco__json_next(key + 1)) {
        for (k = 0; k < TACO__COUNT(skip) && !taco__json_equals(key, skip[k]); k++) {}
        if (k < TACO__COUNT(skip) || !taco__json_member_counts(&members, root, key)) { continue; }
        if (taco__json_equals(key, "extent")) {
            taco__merged_write_extent(m, w);
        } else if (taco__json_equals(key, "taco:pit_schema")) {
            taco__merged_write_pit_schema(m, w);
        } else {
            taco__json_write_key_bytes(w, taco__json_bytes(key));
            w->ok = w->ok && taco__json_print(w->out, key + 1, 0, w->err);
        }
    }
    taco__hash_map_free(&members);
}

/* Appends the merged document; note: with _tacocat. */
TACO__FN bool taco__merged_write(taco__catalogue *m, bool note, taco__buf *out, taco_error *err)
{
    taco__buf b, pretty;
    taco__json_writer w;
    taco__arena arena;
    taco__json_doc doc;
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = arena.mem = &m->mem;
    arena.head = NULL;
    pretty = b;
    w = taco__json_writer_init(&b, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__merged_write_members(m, &w);
    taco__merged_write_sources(m, &w);
    if (note) { taco__merged_write_note(m, &w); }
    taco__json_write_end(&w, '}');
    ok = w.ok &&
         taco__json_parse(&arena, taco__bytes_of(b.data, b.len), &m->options.limits, &doc, err) ==
             TACO_OK &&
         taco__json_print(&pretty, doc.root, 4, err) &&
         taco__merged_escape_ascii(taco__bytes_of(pretty.data, pretty.len), out, err);
    taco__arena_free(&arena);
    taco__buf_free(&b);
    taco__buf_free(&pretty);
    return ok;
}
