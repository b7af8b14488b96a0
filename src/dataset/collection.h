/* collection.h - COLLECTION.json: identity, texts, extent, the PIT schema */
#ifndef TACO__COLLECTION_H
#define TACO__COLLECTION_H

#include "../api/taco.h"
#include "../base/base.h"
#include "../base/json.h"

/* Two members of the document decide whether a dataset can be read: `id` and `taco:pit_schema`;
   these are refused unless well formed. Everything else is returned as it is, or has a default;
   whether it is right is for validation to decide. */

/* Levels below the root: the header index of an archive has no room for more. */
#define TACO__PIT_MAX_DEPTH 5

/* tasks, licenses, keywords */
typedef struct taco__collection_texts {
    /* count items, NUL-terminated */
    const char *const *items;
    size_t count;
} taco__collection_texts;

/* The children, in order, that every folder of one kind has. */
typedef struct taco__pit_pattern {
    /* for each child: 1 for a FOLDER, 0 for a FILE */
    const uint8_t *folders;
    /* for each child, with a NUL after the bytes */
    const taco_bytes *ids;
    size_t count;
    /* rows according to the document, -1 if not given; not to be trusted */
    int64_t n;
    /* the object in the document */
    const taco__json *node;
} taco__pit_pattern;

/* The patterns of one level: one for each kind of folder in the level above, in its order. */
typedef struct taco__pit_level {
    const taco__pit_pattern *patterns;
    size_t count;
    /* the document has this key, even without patterns */
    bool present;
} taco__pit_level;

/* The Position-Invariant Tree: what is at each position below any sample (TACO 2.0 §5.5). */
typedef struct taco__pit {
    /* the samples of level 0 are FOLDERs */
    bool folders;
    /* deepest level described */
    uint32_t depth;
    /* root.n; -1 if not given */
    int64_t n;
    /* levels[d - 1] is the document's key "d" */
    taco__pit_level levels[TACO__PIT_MAX_DEPTH];
    /* NULL if not given, or not integers */
    const int64_t *shape;
    size_t shape_count;
} taco__pit;

/* A collection, all in the arena. A json value is NULL if the document has no such key. The default
   of each text is in the comment. */
typedef struct taco__collection {
    const char *id;
    /* "unknown" */
    const char *dataset_version;
    /* "" */
    const char *description;
    /* "" */
    const char *taco_version;
    /* NULL */
    const char *title;
    taco__collection_texts tasks, licenses, keywords;
    const taco__json *providers, *curators, *extent, *pit_schema, *field_schema, *sources;
    bool has_spatial, has_temporal;
    /* west, south, east, north */
    double spatial[4];
    /* start, end */
    const char *temporal[2];
    taco__pit pit;
    /* the whole document, extensions included */
    taco__json_doc doc;
} taco__collection;

/* ---- collection.c ---- */

/* taco__collection_parse reads a document; the others query, check and print one. */
TACO__FN const char *taco__collection_type_name(bool folder);
TACO__FN void taco__collection_read_extent(taco__collection *c);
/* Whether a text is a version: at least two numbers with dots between them, and an optional suffix
   ("2.0.0", "0.26.1rc1"). */
TACO__FN bool taco__collection_is_version(taco_bytes text);
TACO__FN taco_status taco__collection_parse(taco__arena *arena, taco_bytes text,
                                            const taco_limits *limits, taco__collection *out,
                                            taco_error *err);
TACO__FN taco_status taco__collection_check_same_pit(const taco__collection *a,
                                                     const taco__collection *b, taco_error *err);
TACO__FN taco_status taco__collection_check_extent(const taco__collection *c, taco_error *err);
TACO__FN bool taco__collection_write_info(taco__buf *out, const taco__collection *c,
                                          taco_error *err);

#endif /* TACO__COLLECTION_H */
