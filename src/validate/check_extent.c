/* check_extent.c - extents against the samples that they are said to bound

   In: the extent of a collection, or of a file in taco:sources, and what bounds the samples
   (taco__extent, gathered by check_extensions.c); out: problems. TACO 2.0 §5.6.3 (extent), §6.6
   (taco:sources).

   Writers make extents of centroids and of one time, so an extent that does not cover footprints
   and whole periods is a warning, and readers leave out no source because of one. They do because
   of taco:bounds (dataset/source_routing.c): what lies outside of these is an error. */
#include "validate.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* Writes a box as text: "west, south, east, north". */
static void taco__check_extent_print_box(char out[200], const double box[4])
{
    size_t i, n = 0;
    for (i = 0; i < 4; i++) {
        if (i) {
            out[n++] = ',';
            out[n++] = ' ';
        }
        n += taco__num_format_f64(out + n, box[i]);
    }
    out[n] = 0;
}

/* Reports at the current place what samples lie outside of an extent or of taco:bounds. */
TACO__FN void taco__check_extent_run(taco__findings *f, const taco__json *extent,
                                     const taco__extent *s, bool error)
{
    taco__collection c;
    double box[4];
    char told[200], text[200], times[2][48];
    memset(&c, 0, sizeof c);
    c.extent = extent;
    taco__collection_read_extent(&c);
    if (c.has_spatial && !taco__extent_box_covers(s, c.spatial)) {
        taco__extent_box(s, box);
        taco__check_extent_print_box(told, c.spatial);
        taco__check_extent_print_box(text, box);
        TACO__FINDINGS_CLAUSE(f, error, "TACO 2.0, 5.6.3",
                              "spatial is %s (west, south, east, north), but centroids and "
                              "footprints of the samples reach from %s",
                              told, text);
    }
    if (c.has_temporal && !taco__extent_times_cover(s, c.temporal)) {
        taco_bytes from = taco__bytes_text(c.temporal[0]), to = taco__bytes_text(c.temporal[1]);
        taco__extent_time_texts(s, times);
        TACO__FINDINGS_CLAUSE(f, error, "TACO 2.0, 5.6.3",
                              "temporal is %q to %q, but times of the samples reach from %s to %s",
                              &from, &to, times[0], times[1]);
    }
    if (error && ((c.has_spatial && s->loose) || (c.has_temporal && s->loose_times))) {
        TACO__FINDINGS_ERROR(f, "cannot be bounds: some places or times are in a form that is not "
                                "compared");
    }
}

/* taco:bounds of a source: of that file, and around all its samples. path may be that of a FOLDER,
   for which readers ignore them. */
static void taco__check_extent_bounds(taco__findings *f, const taco__json *bounds,
                                      const taco_options *options, const char *path,
                                      const taco__extent *s)
{
    taco__routing_mark mark;
    int64_t bytes = -1, crc = -1;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!taco__json_int(taco__json_get(bounds, "bytes"), &bytes) ||
        !taco__json_int(taco__json_get(bounds, "crc"), &crc)) {
        TACO__FINDINGS_WARN(f, "bytes and crc must be the size of the file and the CRC-32 of its "
                               "end: readers ignore these bounds");
        return;
    }
    if (!taco__routing_mark_read(options, path, &mark, &e)) {
        TACO__FINDINGS_WARN(f, "are of no file: readers ignore these bounds");
        return;
    }
    if (mark.bytes != (uint64_t)bytes || (int64_t)mark.crc != crc) {
        TACO__FINDINGS_WARN(f,
                            "the file has changed since: %d bytes with CRC-32 %d then, now %u "
                            "and %u",
                            TACO__D(bytes), TACO__D(crc), mark.bytes, TACO__U(mark.crc));
    }
    taco__check_extent_run(f, bounds, s, true);
}

/* What taco:sources of `document` says of a file, by its name; s bounds the file's samples. */
TACO__FN void taco__check_extent_source(taco__findings *f, const taco__collection *merged,
                                        const char *document, const char *name,
                                        const taco_options *options, const char *path,
                                        const taco__extent *s)
{
    const taco__json *extents = taco__json_get(merged->sources, "extents"), *x;
    size_t i;
    for (i = 0, x = taco__json_first(extents); i < taco__json_length(extents);
         i++, x = taco__json_next(x)) {
        const char *file = taco__json_text(taco__json_get(x, "file"));
        const taco__json *bounds = taco__json_get(x, "taco:bounds");
        if (!file || strcmp(file, name) != 0) { continue; }
        taco__findings_set_place(f, "%s: taco:sources: extents[%u]", document, TACO__U(i));
        taco__check_extent_run(f, x, s, false);
        if (!bounds) { continue; }
        taco__findings_set_place(f, "%s: taco:sources: extents[%u]: taco:bounds", document,
                                 TACO__U(i));
        taco__check_extent_bounds(f, bounds, options, path, s);
    }
}
