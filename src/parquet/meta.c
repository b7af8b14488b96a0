/* ==== ROOM meta: the gate for footers, page headers and page indexes: what passes is proven. Uses: thrift mem.
   Spec: parquet.thrift, LogicalTypes.md ==== */

/* Numbers of the format. */
enum {                      /* Type */
       TACO__PQ_GROUP = -1, /* ours: an element without a type */
       TACO__PQ_BOOLEAN = 0,
       TACO__PQ_INT32 = 1,
       TACO__PQ_INT64 = 2,
       TACO__PQ_INT96 = 3,
       TACO__PQ_FLOAT = 4,
       TACO__PQ_DOUBLE = 5,
       TACO__PQ_BYTE_ARRAY = 6,
       TACO__PQ_FIXED = 7
};
enum { /* FieldRepetitionType */
       TACO__PQ_REQUIRED = 0,
       TACO__PQ_OPTIONAL = 1,
       TACO__PQ_REPEATED = 2
};
enum { /* ConvertedType */
       TACO__PQ_CONVERTED_NONE = -1,
       TACO__PQ_CONVERTED_UTF8 = 0,
       TACO__PQ_CONVERTED_MAP = 1,
       TACO__PQ_CONVERTED_MAP_KEY_VALUE = 2,
       TACO__PQ_CONVERTED_LIST = 3,
       TACO__PQ_CONVERTED_ENUM = 4,
       TACO__PQ_CONVERTED_DECIMAL = 5,
       TACO__PQ_CONVERTED_DATE = 6,
       TACO__PQ_CONVERTED_TIME_MILLIS = 7,
       TACO__PQ_CONVERTED_TIME_MICROS = 8,
       TACO__PQ_CONVERTED_TIMESTAMP_MILLIS = 9,
       TACO__PQ_CONVERTED_TIMESTAMP_MICROS = 10,
       TACO__PQ_CONVERTED_UINT_8 = 11, /* 16, 32, 64 follow */
       TACO__PQ_CONVERTED_INT_8 = 15,  /* 16, 32, 64 follow */
       TACO__PQ_CONVERTED_JSON = 19,
       TACO__PQ_CONVERTED_BSON = 20,
       TACO__PQ_CONVERTED_INTERVAL = 21
};
enum { /* members of the LogicalType union */
       TACO__PQ_LOGICAL_NONE = 0,
       TACO__PQ_LOGICAL_STRING = 1,
       TACO__PQ_LOGICAL_MAP = 2,
       TACO__PQ_LOGICAL_LIST = 3,
       TACO__PQ_LOGICAL_ENUM = 4,
       TACO__PQ_LOGICAL_DECIMAL = 5,
       TACO__PQ_LOGICAL_DATE = 6,
       TACO__PQ_LOGICAL_TIME = 7,
       TACO__PQ_LOGICAL_TIMESTAMP = 8,
       TACO__PQ_LOGICAL_INTERVAL = 9, /* reserved there; ours for the converted type */
       TACO__PQ_LOGICAL_INTEGER = 10,
       TACO__PQ_LOGICAL_NULL = 11,
       TACO__PQ_LOGICAL_JSON = 12,
       TACO__PQ_LOGICAL_BSON = 13,
       TACO__PQ_LOGICAL_UUID = 14,
       TACO__PQ_LOGICAL_FLOAT16 = 15,
       TACO__PQ_LOGICAL_VARIANT = 16,
       TACO__PQ_LOGICAL_GEOMETRY = 17,
       TACO__PQ_LOGICAL_GEOGRAPHY = 18,
       TACO__PQ_LOGICAL_OTHER = 255 /* newer than this reader: the physical type counts */
};
enum { /* Encoding */
       TACO__PQ_ENC_PLAIN = 0,
       TACO__PQ_ENC_PLAIN_DICTIONARY = 2,
       TACO__PQ_ENC_RLE = 3,
       TACO__PQ_ENC_BIT_PACKED = 4,
       TACO__PQ_ENC_DELTA_BINARY_PACKED = 5,
       TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY = 6,
       TACO__PQ_ENC_DELTA_BYTE_ARRAY = 7,
       TACO__PQ_ENC_RLE_DICTIONARY = 8,
       TACO__PQ_ENC_BYTE_STREAM_SPLIT = 9
};
enum { /* CompressionCodec */
       TACO__PQ_CODEC_NONE = 0,
       TACO__PQ_CODEC_SNAPPY = 1,
       TACO__PQ_CODEC_GZIP = 2,
       TACO__PQ_CODEC_LZO = 3,
       TACO__PQ_CODEC_BROTLI = 4,
       TACO__PQ_CODEC_LZ4 = 5,
       TACO__PQ_CODEC_ZSTD = 6,
       TACO__PQ_CODEC_LZ4_RAW = 7
};
enum { /* PageType */
       TACO__PQ_PAGE_DATA = 0,
       TACO__PQ_PAGE_INDEX = 1,
       TACO__PQ_PAGE_DICTIONARY = 2,
       TACO__PQ_PAGE_DATA_V2 = 3
};
enum { /* members of the ColumnOrder union */
       TACO__PQ_ORDER_NONE = 0,
       TACO__PQ_ORDER_TYPE = 1,
       TACO__PQ_ORDER_IEEE754 = 2,
       TACO__PQ_ORDER_INT96 = 3,
       TACO__PQ_ORDER_OTHER = 255
};

/* All slices (taco_bytes) below point into the footer or page header they were parsed from, which has to live as long. */

typedef struct
    taco__pq_schema_element { /* SchemaElement, with its place in the tree; the list is in depth-first order */
    taco_bytes  name;
    const char *text; /* the name, NUL-terminated */
    uint64_t    at;   /* its offset in the file */
    int32_t     type; /* TACO__PQ_GROUP or a physical type */
    int32_t     type_length;
    int32_t     converted;
    int32_t     scale, precision; /* of the SchemaElement; the logical type's own below */
    int32_t     field_id;
    bool        has_field_id;
    uint8_t     repetition;
    uint8_t     logical;
    bool        is_signed, utc; /* INTEGER; TIME, TIMESTAMP */
    uint8_t     unit; /* TIME, TIMESTAMP: taco_unit; TACO_SECOND (0) where it is not known */
    int8_t      bits; /* INTEGER */
    int32_t     dec_scale, dec_precision; /* DECIMAL */
    taco_bytes  crs;                      /* GEOMETRY, GEOGRAPHY */
    int32_t     algorithm;                /* GEOGRAPHY; -1 = not given */
    uint32_t    parent, child_count;      /* parent of the root is the root */
    uint32_t    left;                     /* children not yet seen, while the tree is linked */
    uint32_t    next; /* first element behind the subtree: the next sibling, if there is one */
    uint32_t    leaf, leaf_count; /* leaves of the subtree */
    int16_t     def, rep;         /* maximum levels, its own repetition included */
} taco__pq_schema_element;

/* One per public field, in the same tree shape: what a reader needs to assemble it from levels. */
typedef struct taco__pq_schema_node {
    const taco_field                  *field;
    const taco__pq_schema_element     *element;
    const struct taco__pq_schema_node *children; /* field->child_count of them */
    uint32_t                           leaf, leaf_count;
    int16_t def;      /* definition level at which it is there and not null (leaf: maximum) */
    int16_t rep;      /* maximum repetition level of its slots */
    int16_t list_def; /* LIST, MAP: definition level from which there is an item */
    int16_t list_rep; /* LIST, MAP: repetition level at which a further item begins */
    bool    optional;
} taco__pq_schema_node;

typedef struct taco__pq_leaf { /* a Parquet column */
    const taco__pq_schema_element *element;
    const taco__pq_schema_node    *node;
    const taco_field              *field;
    int32_t                        type;
    int32_t                        type_length; /* TACO__PQ_FIXED: > 0 */
    int16_t                        max_def, max_rep;
    uint32_t                       column; /* the top-level field above it */
    uint8_t                        order;  /* TACO__PQ_ORDER_..., from column_orders */
} taco__pq_leaf;

typedef struct
    taco__pq_statistics { /* Statistics, raw; taco__stats_bounds says what they are worth */
    taco_bytes min, max;  /* data NULL = not given */
    int64_t    null_count, distinct_count, nan_count; /* -1 = not known */
    bool       given;
    bool       deprecated; /* min and max come from the old fields, whose order is always signed */
    bool       min_exact, max_exact;
} taco__pq_statistics;

typedef struct
    taco__pq_range { /* bytes of the file that were proven to lie before the footer; size 0 = none */
    uint64_t offset;
    uint64_t size;
} taco__pq_range;

typedef struct taco__pq_geo_bounds { /* GeospatialStatistics' BoundingBox */
    double xmin, xmax, ymin, ymax, zmin, zmax, mmin, mmax;
    bool   has_z, has_m;
} taco__pq_geo_bounds;

typedef struct taco__pq_column_chunk {
    uint64_t at; /* of its metadata in the file */
    /* Dictionary and data pages; empty when encrypted or external. Old parquet-mr leaves the dictionary's header out of
       the size (PARQUET-816): who misses values at the end looks up to 100 bytes further. */
    taco__pq_range pages;
    int64_t        num_values;        /* level entries: nulls and empty lists count */
    uint64_t       uncompressed_size; /* as stored; only `pages` is proven */
    uint64_t       compressed_size;
    int64_t        data_offset, dictionary_offset, index_page_offset; /* as stored; -1 = none */
    taco__pq_range column_index, offset_index;
    taco__pq_range bloom;     /* size UINT64_MAX: not given, read its header first */
    int64_t        unencoded; /* bytes of BYTE_ARRAY values; -1 = not known */
    taco__pq_statistics        stats;
    taco_bytes                 file_path;
    taco__pq_geo_bounds       *geo; /* NULL = none */
    int32_t                    type;
    int32_t                    codec; /* any number: the reader of pages refuses what it lacks */
    uint32_t                   encodings; /* bit e: encoding e is used; bit 31: one above 30 */
    bool                       encrypted; /* can not be read; the rest of the file can */
    bool                       external;  /* its pages are in the file file_path names */
    bool                       dict_only; /* known to have no data page without dictionary */
    bool                       has_meta;
    struct taco__cached_chunk *kept; /* its pages that are kept, once it was read; see room keep */
} taco__pq_column_chunk;

typedef struct taco__pq_sorting_column {
    uint32_t leaf;
    bool     descending, nulls_first;
} taco__pq_sorting_column;

typedef struct taco__pq_row_group {
    uint64_t at;
    int64_t  rows, first_row;
    uint64_t total_byte_size;
    int64_t  file_offset, total_compressed_size, ordinal; /* as stored; -1 = not given */
    taco__pq_column_chunk   *chunks;                      /* meta->leaf_count of them */
    taco__pq_sorting_column *sort;
    uint32_t                 sort_count;
} taco__pq_row_group;

typedef struct taco__pq_key_value {
    taco_bytes key, value; /* value.data NULL = not given */
} taco__pq_key_value;

typedef struct taco__pq_metadata {
    uint64_t                 file_size, footer_offset, footer_size;
    int32_t                  version;
    int64_t                  num_rows;     /* sum over the row groups */
    int64_t                  claimed_rows; /* the footer's own figure, which some writers leave 0 */
    taco_bytes               created_by;
    taco__pq_schema_element *elements;
    uint32_t                 element_count;
    taco_field              *columns; /* children of the schema's root */
    taco__pq_schema_node    *nodes;   /* one per column */
    uint32_t                 column_count;
    taco__pq_leaf           *leaves;
    uint32_t                 leaf_count;
    taco__pq_row_group      *groups;
    uint32_t                 group_count;
    taco__pq_key_value      *pairs; /* key-value metadata */
    uint32_t                 pair_count;
    taco_bytes               signing_key; /* footer_signing_key_metadata */
    uint8_t                  encryption;  /* member of EncryptionAlgorithm; 0 = none */
    bool                     has_orders;
    bool distrust_binary;   /* deprecated min/max of byte arrays are wrong: PARQUET-251 */
    bool distrust_decimal;  /* bounds of byte array decimals are wrong: PARQUET-1655 */
    bool always_compressed; /* is_compressed of v2 pages is wrong: ARROW-10353 */
} taco__pq_metadata;

typedef struct taco__pq_page_header { /* PageHeader */
    int32_t             type;         /* TACO__PQ_PAGE_...; the reader steps over any other */
    uint32_t            uncompressed_size, compressed_size; /* of the body, < 2^31 */
    uint32_t            crc;
    bool                has_crc;
    bool                is_compressed; /* v2: the values; else true */
    bool                is_sorted;     /* dictionary */
    int32_t             encoding, def_encoding, rep_encoding;
    uint32_t            num_values;          /* level entries, or dictionary entries */
    uint32_t            num_nulls, num_rows; /* v2: <= num_values */
    uint32_t            def_len, rep_len;    /* v2: their sum is <= both sizes */
    taco__pq_statistics stats;
} taco__pq_page_header;

typedef struct taco__pq_column_index {
    size_t         pages;
    const uint8_t *null_pages; /* 1 = nulls only: its min and max mean nothing */
    taco_bytes    *min, *max;
    const int64_t *null_counts, *nan_counts; /* NULL = not given; -1 = not known */
    int32_t        boundary_order;           /* 0 none, 1 ascending, 2 descending */
} taco__pq_column_index;

typedef struct taco__pq_page_location {
    uint64_t offset; /* of the page header */
    uint32_t size;   /* with the header; inside the chunk */
    int64_t  first_row;
} taco__pq_page_location;

typedef struct taco__pq_offset_index {
    size_t                  pages;
    taco__pq_page_location *page; /* offsets and rows ascend */
} taco__pq_offset_index;

#define TACO__DEFAULT_MAX_COLUMNS 65536 /* default of limits.max_columns */
#define TACO__DEFAULT_MAX_DEPTH   64    /* default of limits.max_depth */
#define TACO__SCHEMA_DEPTH_CAP    512   /* whatever the limit says: the tree is built recursively */
#define TACO__PQ_MAGIC_SIZE       4     /* bytes of magic in front of the first page */

typedef struct taco__footer_parser {
    taco__thrift       t;
    taco__arena       *arena;
    const taco_limits *limits;
    taco__pq_metadata *out;
    bool               built;
} taco__footer_parser;

/* Fails the reader with a CORRUPT at a byte of the file; false. */
#define TACO__THRIFT_FAIL(t, where, ...)                                                           \
    (TACO__FAIL((t)->err, TACO_ERR_CORRUPT, (where), __VA_ARGS__),                                 \
     taco__thrift_fail((t), TACO_ERR_CORRUPT))

/* Items of the arena, or NULL and a failed reader. */
TACO__FN void *taco__thrift_alloc(taco__thrift *t, taco__arena *arena, size_t n, size_t size)
{
    void *p = taco__thrift_ok(t) ? taco__arena_array(arena, n, size, t->err) : NULL;
    if (!p && taco__thrift_ok(t)) {
        taco__thrift_fail(t, t->err && t->err->code != TACO_OK ? t->err->code : TACO_ERR_MEMORY);
    }
    return p;
}
/* A number that must not be negative. */
TACO__FN int64_t taco__thrift_count(taco__thrift *t, unsigned type, const char *name)
{
    uint64_t at = taco__thrift_at(t);
    int64_t  x = taco__thrift_i64(t, type);
    if (TACO__UNLIKELY(x < 0)) {
        TACO__THRIFT_FAIL(t, at, "%s is %d", name, x);
        return 0;
    }
    return x;
}
TACO__FN uint32_t taco__thrift_count32(taco__thrift *t, unsigned type, const char *name)
{
    uint64_t at = taco__thrift_at(t);
    int64_t  x = taco__thrift_count(t, type, name);
    if (TACO__UNLIKELY(x > INT32_MAX)) {
        TACO__THRIFT_FAIL(t, at, "%s is %d, 32 bits are the most", name, x);
        return 0;
    }
    return (uint32_t)x;
}

/* ---- names for messages -------------------------------------------------------------------- */

/* Writes the path of an element, "a.list.item", into text, cut when it is full. */
TACO__FN taco_bytes taco__schema_path(const taco__pq_metadata *m, const taco__pq_schema_element *e,
                                      char *text, size_t cap)
{
    const taco__pq_schema_element *chain[TACO__SCHEMA_DEPTH_CAP + 2];
    size_t                         n = 0, len = 0;
    while (e != m->elements && n < TACO__COUNT(chain)) {
        chain[n++] = e;
        e = &m->elements[e->parent];
    }
    while (n && len < cap) {
        taco_bytes name = chain[--n]->name;
        size_t     k = TACO__MIN(name.len, cap - len);
        if (k) {
            memcpy(text + len, name.data, k);
        }
        len += k;
        if (n && len < cap) {
            text[len++] = '.';
        }
    }
    return taco__bytes_of(text, len);
}
/* Puts "row group 3, column 'a.b'" in front of the message. */
TACO__COLD void taco__footer_prefix_error(const taco__pq_metadata *m, taco_error *err, size_t group,
                                          size_t leaf)
{
    char       text[80];
    taco_bytes path = taco__schema_path(m, m->leaves[leaf].element, text, sizeof text);
    taco__error_prefix(err, "row group %u, column %q", TACO__U(group), &path);
}

/* ---- schema: the list of elements ------------------------------------------------------------ */

/* TimeUnit: a union whose member is the unit. */
TACO__FN uint8_t taco__schema_parse_unit(taco__thrift *t, unsigned type)
{
    taco__thrift_field f;
    uint8_t            unit = 0;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            unit = (uint8_t)(f.id >= 1 && f.id <= 3 ? TACO_SECOND + f.id : 0);
            taco__thrift_skip(t, f.type);
        }
    }
    return unit;
}
/* DecimalType, TimeType, TimestampType, IntType, GeometryType, GeographyType: their members, by the union's member. */
TACO__FN void taco__schema_parse_logical_body(taco__thrift *t, unsigned type,
                                              taco__pq_schema_element *e)
{
    taco__thrift_field f;
    if (!taco__thrift_begin_struct(t, type, &f)) {
        return;
    }
    while (taco__thrift_next(t, &f)) {
        unsigned key = f.id == 1 || f.id == 2 ? e->logical * 2U + (unsigned)f.id : 0;
        switch (key) {
        case TACO__PQ_LOGICAL_DECIMAL * 2 + 1: e->dec_scale = taco__thrift_i32(t, f.type); break;
        case TACO__PQ_LOGICAL_DECIMAL * 2 + 2:
            e->dec_precision = taco__thrift_i32(t, f.type);
            break;
        case TACO__PQ_LOGICAL_TIME * 2 + 1:
        case TACO__PQ_LOGICAL_TIMESTAMP * 2 + 1: e->utc = taco__thrift_bool(t, f.type); break;
        case TACO__PQ_LOGICAL_TIME * 2 + 2:
        case TACO__PQ_LOGICAL_TIMESTAMP * 2 + 2:
            e->unit = taco__schema_parse_unit(t, f.type);
            break;
        case TACO__PQ_LOGICAL_INTEGER * 2 + 1: e->bits = (int8_t)taco__thrift_i64(t, f.type); break;
        case TACO__PQ_LOGICAL_INTEGER * 2 + 2: e->is_signed = taco__thrift_bool(t, f.type); break;
        case TACO__PQ_LOGICAL_GEOMETRY * 2 + 1:
        case TACO__PQ_LOGICAL_GEOGRAPHY * 2 + 1: e->crs = taco__thrift_binary(t, f.type); break;
        case TACO__PQ_LOGICAL_GEOGRAPHY * 2 + 2: e->algorithm = taco__thrift_i32(t, f.type); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
}
TACO__FN void taco__schema_parse_logical(taco__thrift *t, unsigned type, taco__pq_schema_element *e)
{
    taco__thrift_field f;
    if (!taco__thrift_begin_struct(t, type, &f)) {
        return;
    }
    while (taco__thrift_next(t, &f)) {
        unsigned member = f.id < 0 ? 0 : (unsigned)f.id;
        bool     known = member >= 1 && member <= TACO__PQ_LOGICAL_GEOGRAPHY &&
                     member != TACO__PQ_LOGICAL_INTERVAL;
        e->logical = (uint8_t)(known ? member : (unsigned)TACO__PQ_LOGICAL_OTHER);
        if (known) {
            taco__schema_parse_logical_body(t, f.type, e);
        } else {
            taco__thrift_skip(t, f.type);
        }
    }
}
TACO__FN bool taco__schema_parse_element(taco__footer_parser *j, taco__pq_schema_element *e)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    int64_t            repetition = TACO__PQ_REQUIRED, children = 0, type = TACO__PQ_GROUP;
    e->at = taco__thrift_at(t);
    e->converted = TACO__PQ_CONVERTED_NONE;
    e->algorithm = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: type = taco__thrift_count(t, f.type, "type of a schema element"); break;
            case 2: e->type_length = taco__thrift_i32(t, f.type); break;
            case 3: repetition = taco__thrift_i64(t, f.type); break;
            case 4: e->name = taco__thrift_binary(t, f.type); break;
            case 5: children = taco__thrift_count(t, f.type, "num_children"); break;
            case 6: e->converted = taco__thrift_i32(t, f.type); break;
            case 7: e->scale = taco__thrift_i32(t, f.type); break;
            case 8: e->precision = taco__thrift_i32(t, f.type); break;
            case 9:
                e->field_id = taco__thrift_i32(t, f.type);
                e->has_field_id = true;
                break;
            case 10: taco__schema_parse_logical(t, f.type, e); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (!e->name.data) {
        return TACO__THRIFT_FAIL(t, e->at, "schema element without a name");
    }
    if (children > 0) {
        type = TACO__PQ_GROUP; /* parquet-go gives its root a type as well */
    }
    if (type > TACO__PQ_FIXED) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has the physical type %d, 7 is the last",
                                 &e->name, type);
    }
    if (repetition == 3) { /* VECTOR, newer than this reader; every level below would be misread */
        TACO__FAIL(t->err, TACO_ERR_UNSUPPORTED, e->at,
                   "unsupported: VECTOR repetition, of column %q", &e->name);
        return taco__thrift_fail(t, TACO_ERR_UNSUPPORTED);
    }
    if (repetition < 0 || repetition > TACO__PQ_REPEATED) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has the repetition %d, 2 is the last",
                                 &e->name, repetition);
    }
    if (type == TACO__PQ_FIXED && e->type_length <= 0) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has values of %d bytes", &e->name,
                                 TACO__D(e->type_length));
    }
    e->type = (int32_t)type;
    e->repetition = (uint8_t)repetition;
    e->child_count = (uint32_t)TACO__MIN(children, (int64_t)UINT32_MAX);
    e->text = taco__arena_text(j->arena, e->name, t->err);
    if (!e->text) {
        return taco__thrift_fail(t, t->err && t->err->code != TACO_OK ? t->err->code
                                                                      : TACO_ERR_MEMORY);
    }
    return true;
}

/* ---- schema: the tree ---------------------------------------------------------------------- */

TACO__COLD bool taco__schema_fail_limit(taco__footer_parser *j, uint64_t at, const char *what,
                                        uint64_t limit, const char *name)
{
    TACO__FAIL(j->t.err, TACO_ERR_LIMIT, at, "%s, limits.%s is %u", what, name, limit);
    return taco__thrift_fail(&j->t, TACO_ERR_LIMIT);
}
/* Closes groups whose children are all there, from `open` upwards, in front of element `at`. Returns the group that
   takes the next child; true in *done once even the root is closed. */
TACO__FN uint32_t taco__schema_close_groups(taco__pq_schema_element *e, uint32_t open, uint32_t at,
                                            uint32_t leaves, uint32_t *depth, bool *done)
{
    *done = false;
    while (e[open].left == 0) {
        e[open].next = at;
        e[open].leaf_count = leaves - e[open].leaf;
        if (open == 0) {
            *done = true;
            break;
        }
        open = e[open].parent;
        --*depth;
    }
    return open;
}
/* Turns the depth-first list into a tree: parents, siblings, levels, leaf numbers. Iterative, so that no depth hurts. */
TACO__FN bool taco__schema_link(taco__footer_parser *j)
{
    const taco_limits       *l = j->limits;
    taco__pq_schema_element *e = j->out->elements;
    uint32_t                 n = j->out->element_count, i, open = 0, depth = 0, leaves = 0;
    uint32_t max_columns = l && l->max_columns ? l->max_columns : TACO__DEFAULT_MAX_COLUMNS;
    uint32_t max_depth = l && l->max_depth
                             ? TACO__MIN(l->max_depth, (uint32_t)TACO__SCHEMA_DEPTH_CAP)
                             : TACO__DEFAULT_MAX_DEPTH;
    bool     done;
    if (e[0].type != TACO__PQ_GROUP) {
        return TACO__THRIFT_FAIL(&j->t, e[0].at, "root of the schema is a column");
    }
    for (i = 0; i < n; i++) {
        if (i > 0) {
            open = taco__schema_close_groups(e, open, i, leaves, &depth, &done);
            if (done) {
                return TACO__THRIFT_FAIL(&j->t, e[i].at,
                                         "schema has %u elements, its tree ends after %u",
                                         TACO__U(n), TACO__U(i));
            }
            e[open].left--;
            e[i].parent = open;
            e[i].def = (int16_t)(e[open].def + (e[i].repetition != TACO__PQ_REQUIRED));
            e[i].rep = (int16_t)(e[open].rep + (e[i].repetition == TACO__PQ_REPEATED));
            if (depth > max_depth) {
                return taco__schema_fail_limit(j, e[i].at, "schema is nested deeper", max_depth,
                                               "max_depth");
            }
        }
        e[i].leaf = leaves;
        e[i].next = i + 1;
        if (e[i].type != TACO__PQ_GROUP) {
            e[i].leaf_count = 1;
            if (++leaves > max_columns) {
                return taco__schema_fail_limit(j, e[i].at, "schema has more columns", max_columns,
                                               "max_columns");
            }
            continue;
        }
        if (e[i].child_count > n - 1 - i) {
            return TACO__THRIFT_FAIL(&j->t, e[i].at, "group %q has %u children, %u elements follow",
                                     &e[i].name, TACO__U(e[i].child_count), TACO__U(n - 1 - i));
        }
        e[i].left = e[i].child_count;
        open = i;
        depth++;
    }
    open = taco__schema_close_groups(e, open, n, leaves, &depth, &done);
    if (!done) {
        return TACO__THRIFT_FAIL(
            &j->t, e[open].at, "group %q lacks %u of its %u children, the schema ends",
            &e[open].name, TACO__U(e[open].left), TACO__U(e[open].child_count));
    }
    j->out->leaf_count = leaves;
    return true;
}

/* ---- schema: annotations to types ------------------------------------------------------------ */

/* The annotation as one logical type: it wins over the converted one, which is translated. What follows from the
   annotation (unit, bits, ...) is in *a as well. */
TACO__FN unsigned taco__schema_annotation(const taco__pq_schema_element *e,
                                          taco__pq_schema_element       *a)
{
    int32_t c = e->converted;
    *a = *e;
    if (e->logical != TACO__PQ_LOGICAL_NONE) {
        return e->logical;
    }
    a->utc = true; /* LogicalTypes.md: the converted types mean instants */
    a->dec_scale = e->scale;
    a->dec_precision = e->precision;
    switch (c) {
    case TACO__PQ_CONVERTED_UTF8: return TACO__PQ_LOGICAL_STRING;
    case TACO__PQ_CONVERTED_MAP:
    case TACO__PQ_CONVERTED_MAP_KEY_VALUE: return TACO__PQ_LOGICAL_MAP;
    case TACO__PQ_CONVERTED_LIST: return TACO__PQ_LOGICAL_LIST;
    case TACO__PQ_CONVERTED_ENUM: return TACO__PQ_LOGICAL_ENUM;
    case TACO__PQ_CONVERTED_DECIMAL: return TACO__PQ_LOGICAL_DECIMAL;
    case TACO__PQ_CONVERTED_DATE: return TACO__PQ_LOGICAL_DATE;
    case TACO__PQ_CONVERTED_TIME_MILLIS: a->unit = TACO_MILLI; return TACO__PQ_LOGICAL_TIME;
    case TACO__PQ_CONVERTED_TIME_MICROS: a->unit = TACO_MICRO; return TACO__PQ_LOGICAL_TIME;
    case TACO__PQ_CONVERTED_TIMESTAMP_MILLIS:
        a->unit = TACO_MILLI;
        return TACO__PQ_LOGICAL_TIMESTAMP;
    case TACO__PQ_CONVERTED_TIMESTAMP_MICROS:
        a->unit = TACO_MICRO;
        return TACO__PQ_LOGICAL_TIMESTAMP;
    case TACO__PQ_CONVERTED_JSON: return TACO__PQ_LOGICAL_JSON;
    case TACO__PQ_CONVERTED_BSON: return TACO__PQ_LOGICAL_BSON;
    case TACO__PQ_CONVERTED_INTERVAL: return TACO__PQ_LOGICAL_INTERVAL;
    default: break;
    }
    if (c >= TACO__PQ_CONVERTED_UINT_8 && c < TACO__PQ_CONVERTED_INT_8 + 4) {
        a->is_signed = c >= TACO__PQ_CONVERTED_INT_8;
        a->bits = (int8_t)(8 << ((c - TACO__PQ_CONVERTED_UINT_8) & 3));
        return TACO__PQ_LOGICAL_INTEGER;
    }
    return TACO__PQ_LOGICAL_NONE;
}
TACO__FN void taco__schema_set_type(taco_field *f, taco_type type, int32_t width)
{
    f->type = type;
    f->width = width;
}
/* DECIMAL of any physical type; false when it does not fit, and the annotation is ignored. */
TACO__FN bool taco__schema_set_decimal(taco_field *f, const taco__pq_schema_element *a)
{
    int32_t p = a->dec_precision, s = a->dec_scale;
    bool    bytes = a->type == TACO__PQ_BYTE_ARRAY || a->type == TACO__PQ_FIXED;
    if (p < 1 || s < 0 || s > p || (!bytes && p > 38)) {
        return false;
    }
    taco__schema_set_type(f, TACO_DECIMAL, p <= 38 ? 16 : p <= 76 ? 32 : 0);
    f->precision = p;
    f->scale = s;
    return true;
}
/* INT32 and INT64; LogicalTypes.md gives every annotation its one physical type and INTEGER(8, 16, 32) the INT32. */
TACO__FN void taco__schema_set_integer(taco_field *f, const taco__pq_schema_element *a,
                                       unsigned logical)
{
    bool wide = a->type == TACO__PQ_INT64;
    taco__schema_set_type(f, wide ? TACO_INT64 : TACO_INT32, wide ? 8 : 4);
    switch (logical) {
    case TACO__PQ_LOGICAL_DECIMAL: taco__schema_set_decimal(f, a); break;
    case TACO__PQ_LOGICAL_DATE:
        if (!wide) {
            f->type = TACO_DATE;
        }
        break;
    case TACO__PQ_LOGICAL_TIME:
        if (wide ? a->unit > TACO_MILLI : a->unit == TACO_MILLI) {
            f->type = TACO_TIME;
            f->unit = (taco_unit)a->unit;
            f->utc = a->utc;
        }
        break;
    case TACO__PQ_LOGICAL_TIMESTAMP:
        if (wide && a->unit) {
            f->type = TACO_TIMESTAMP;
            f->unit = (taco_unit)a->unit;
            f->utc = a->utc;
        }
        break;
    case TACO__PQ_LOGICAL_INTEGER:
        if (wide) {
            f->type = a->bits == 64 && !a->is_signed ? TACO_UINT64 : TACO_INT64;
        } else if (a->bits == 8) {
            taco__schema_set_type(f, a->is_signed ? TACO_INT8 : TACO_UINT8, 1);
        } else if (a->bits == 16) {
            taco__schema_set_type(f, a->is_signed ? TACO_INT16 : TACO_UINT16, 2);
        } else if (a->bits == 32 && !a->is_signed) {
            f->type = TACO_UINT32;
        }
        break;
    default: break;
    }
}
TACO__FN void taco__schema_set_leaf_type(taco_field *f, const taco__pq_schema_element *e)
{
    taco__pq_schema_element a;
    unsigned                logical = taco__schema_annotation(e, &a);
    if (logical == TACO__PQ_LOGICAL_NULL) {
        taco__schema_set_type(f, TACO_NULL, 0);
        return;
    }
    switch (e->type) {
    case TACO__PQ_BOOLEAN: taco__schema_set_type(f, TACO_BOOL, 0); break;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__schema_set_integer(f, &a, logical); break;
    case TACO__PQ_INT96: taco__schema_set_type(f, TACO_INT96, 12); break;
    case TACO__PQ_FLOAT: taco__schema_set_type(f, TACO_FLOAT, 4); break;
    case TACO__PQ_DOUBLE: taco__schema_set_type(f, TACO_DOUBLE, 8); break;
    case TACO__PQ_BYTE_ARRAY:
        if (logical == TACO__PQ_LOGICAL_STRING || logical == TACO__PQ_LOGICAL_ENUM ||
            logical == TACO__PQ_LOGICAL_JSON) {
            taco__schema_set_type(f, TACO_TEXT, 0);
        } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__schema_set_decimal(f, &a)) {
            taco__schema_set_type(f, TACO_BINARY, 0);
        }
        break;
    default:
        if (logical == TACO__PQ_LOGICAL_UUID && e->type_length == 16) {
            taco__schema_set_type(f, TACO_UUID, 16);
        } else if (logical == TACO__PQ_LOGICAL_FLOAT16 && e->type_length == 2) {
            taco__schema_set_type(f, TACO_HALF, 2);
        } else if (logical == TACO__PQ_LOGICAL_INTERVAL && e->type_length == 12) {
            taco__schema_set_type(f, TACO_INTERVAL, 12);
        } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__schema_set_decimal(f, &a)) {
            taco__schema_set_type(f, TACO_FIXED, e->type_length);
        }
        break;
    }
}

typedef enum taco__schema_shape {
    TACO__SCHEMA_STRUCT,
    TACO__SCHEMA_LIST,
    TACO__SCHEMA_MAP
} taco__schema_shape;

/* What a group is, and in *item the element its items are made of. LogicalTypes.md, "Lists" and "Maps" with their
   backward-compatibility rules; an annotation that does not fit is ignored. */
TACO__FN taco__schema_shape taco__schema_group_shape(const taco__pq_schema_element *all, uint32_t i,
                                                     uint32_t *item)
{
    const taco__pq_schema_element *e = &all[i], *r;
    taco__pq_schema_element        a;
    unsigned                       kind = taco__schema_annotation(e, &a), inner;
    static const char              tuple[] = "_tuple";
    if ((kind != TACO__PQ_LOGICAL_LIST && kind != TACO__PQ_LOGICAL_MAP) || e->child_count != 1) {
        return TACO__SCHEMA_STRUCT;
    }
    r = &all[i + 1];
    *item = i + 1;
    if (r->repetition != TACO__PQ_REPEATED) {
        return TACO__SCHEMA_STRUCT;
    }
    if (kind == TACO__PQ_LOGICAL_MAP) {
        if (r->type != TACO__PQ_GROUP || r->child_count < 1 || r->child_count > 2) {
            return TACO__SCHEMA_STRUCT;
        }
        *item += r->child_count == 1; /* keys alone: a list of them */
        return r->child_count == 2 ? TACO__SCHEMA_MAP : TACO__SCHEMA_LIST;
    }
    if (r->type != TACO__PQ_GROUP || r->child_count != 1) {
        return TACO__SCHEMA_LIST; /* the repeated field is the item: a column, or a group of several fields or none */
    }
    if (taco__bytes_equal(r->name, taco__bytes_text("array"))) {
        return TACO__SCHEMA_LIST;
    }
    if (r->name.len == e->name.len + 6 && memcmp(r->name.data + e->name.len, tuple, 6) == 0 &&
        taco__bytes_equal(taco__bytes_of(r->name.data, e->name.len), e->name)) {
        return TACO__SCHEMA_LIST;
    }
    inner = taco__schema_annotation(r, &a);
    if (all[i + 2].repetition == TACO__PQ_REPEATED || inner == TACO__PQ_LOGICAL_LIST ||
        inner == TACO__PQ_LOGICAL_MAP) {
        return TACO__SCHEMA_LIST;
    }
    *item = i + 2; /* three levels: the repeated group only counts, its field is the item */
    return TACO__SCHEMA_LIST;
}

/* How an element is taken: as a field; as an item, whose repetition the list above it stands for; as the entry of a
   map, whose own annotation (MAP_KEY_VALUE, as old writers have it) means nothing more. */
typedef enum taco__schema_role {
    TACO__SCHEMA_FIELD,
    TACO__SCHEMA_ITEM,
    TACO__SCHEMA_ENTRY
} taco__schema_role;

TACO__FN bool taco__schema_build(taco__footer_parser *j, uint32_t i, taco__schema_role role,
                                 taco__pq_schema_node *node, taco_field *field); /* recursive */

/* A list or map node with its one child, built of element `item`. */
TACO__FN bool taco__schema_build_list(taco__footer_parser *j, uint32_t repeated, uint32_t item,
                                      taco__schema_role role, taco__pq_schema_node *node,
                                      taco_field *field)
{
    const taco__pq_schema_element *r = &j->out->elements[repeated];
    taco__pq_schema_node          *child =
        (taco__pq_schema_node *)taco__thrift_alloc(&j->t, j->arena, 1, sizeof *child);
    taco_field *below = (taco_field *)taco__thrift_alloc(&j->t, j->arena, 1, sizeof *below);
    if (!child || !below) {
        return false;
    }
    field->type = role == TACO__SCHEMA_ENTRY ? TACO_MAP : TACO_LIST;
    field->children = below;
    field->child_count = 1;
    node->children = child;
    node->list_def = r->def;
    node->list_rep = r->rep;
    return taco__schema_build(j, item, role, child, below);
}
TACO__FN bool taco__schema_build_struct(taco__footer_parser *j, uint32_t i,
                                        taco__pq_schema_node **nodes, taco_field **fields)
{
    const taco__pq_schema_element *e = j->out->elements;
    uint32_t                       n = e[i].child_count, c, k;
    *nodes = (taco__pq_schema_node *)taco__thrift_alloc(&j->t, j->arena, n, sizeof **nodes);
    *fields = (taco_field *)taco__thrift_alloc(&j->t, j->arena, n, sizeof **fields);
    if (!*nodes || !*fields) {
        return false;
    }
    for (k = 0, c = i + 1; k < n; k++, c = e[c].next) {
        if (!taco__schema_build(j, c, TACO__SCHEMA_FIELD, &(*nodes)[k], &(*fields)[k])) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__schema_build(taco__footer_parser *j, uint32_t i, taco__schema_role role,
                                 taco__pq_schema_node *node, taco_field *field)
{
    const taco__pq_schema_element *e = &j->out->elements[i];
    taco__schema_shape             shape = TACO__SCHEMA_STRUCT;
    uint32_t                       item = i;
    node->field = field;
    node->element = e;
    node->leaf = field->leaf = e->leaf;
    node->leaf_count = field->leaf_count = e->leaf_count;
    node->def = e->def;
    node->rep = e->rep;
    field->name = e->text;
    if (role == TACO__SCHEMA_FIELD && e->repetition == TACO__PQ_REPEATED) {
        node->def =
            (int16_t)(e->def - 1); /* there whenever its parent is: such a list is never null */
        node->rep = (int16_t)(e->rep - 1);
        return taco__schema_build_list(j, i, i, TACO__SCHEMA_ITEM, node, field);
    }
    node->optional = field->nullable = e->repetition == TACO__PQ_OPTIONAL;
    if (e->type != TACO__PQ_GROUP) {
        taco__pq_leaf *leaf = &j->out->leaves[e->leaf];
        taco__schema_set_leaf_type(field, e);
        leaf->element = e;
        leaf->node = node;
        leaf->field = field;
        leaf->type = e->type;
        leaf->type_length = e->type_length;
        leaf->max_def = e->def;
        leaf->max_rep = e->rep;
        return true;
    }
    if (role != TACO__SCHEMA_ENTRY) {
        shape = taco__schema_group_shape(j->out->elements, i, &item);
    }
    if (shape == TACO__SCHEMA_MAP) {
        return taco__schema_build_list(j, i + 1, i + 1, TACO__SCHEMA_ENTRY, node, field);
    }
    if (shape == TACO__SCHEMA_LIST) {
        return taco__schema_build_list(
            j, i + 1, item, item == i + 1 ? TACO__SCHEMA_ITEM : TACO__SCHEMA_FIELD, node, field);
    } else {
        taco__pq_schema_node *nodes;
        taco_field           *fields;
        bool                  ok = taco__schema_build_struct(j, i, &nodes, &fields);
        field->type = TACO_STRUCT;
        field->children = fields;
        field->child_count = e->child_count;
        node->children = nodes;
        return ok;
    }
}
/* FileMetaData.schema: elements, tree, types. */
TACO__FN bool taco__schema_parse(taco__footer_parser *j, unsigned type)
{
    taco__thrift      *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t           at = taco__thrift_at(t);
    size_t             n = taco__thrift_begin_structs(t, type, 3),
           i; /* an element is a name, two bytes, and a stop */
    uint32_t k;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (n == 0 || n > UINT32_MAX || j->built) {
        return TACO__THRIFT_FAIL(t, at,
                                 n == 0 ? "schema without elements" : "footer has a second schema");
    }
    m->elements =
        (taco__pq_schema_element *)taco__thrift_alloc(t, j->arena, n, sizeof *m->elements);
    m->element_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__schema_parse_element(j, &m->elements[i]);
    }
    if (!taco__thrift_ok(t) || !taco__schema_link(j)) {
        return false;
    }
    m->leaves = (taco__pq_leaf *)taco__thrift_alloc(t, j->arena, m->leaf_count, sizeof *m->leaves);
    if (!m->leaves || !taco__schema_build_struct(j, 0, &m->nodes, &m->columns)) {
        return false;
    }
    m->column_count = m->elements[0].child_count;
    for (k = 0; k < m->column_count; k++) {
        uint32_t leaf = m->nodes[k].leaf, end = leaf + m->nodes[k].leaf_count;
        for (; leaf < end; leaf++) {
            m->leaves[leaf].column = k;
        }
    }
    j->built = true;
    return true;
}

/* ---- statistics ------------------------------------------------------------------------------ */

TACO__FN void taco__stats_parse(taco__thrift *t, unsigned type, taco__pq_statistics *s)
{
    taco__thrift_field f;
    taco_bytes         old_min, old_max;
    old_min = old_max = taco__bytes_of(NULL, 0);
    memset(s, 0, sizeof *s);
    s->null_count = s->distinct_count = s->nan_count = -1;
    s->given = true;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: old_max = taco__thrift_binary(t, f.type); break;
            case 2: old_min = taco__thrift_binary(t, f.type); break;
            case 3: s->null_count = taco__thrift_i64(t, f.type); break;
            case 4: s->distinct_count = taco__thrift_i64(t, f.type); break;
            case 5: s->max = taco__thrift_binary(t, f.type); break;
            case 6: s->min = taco__thrift_binary(t, f.type); break;
            case 7: s->max_exact = taco__thrift_bool(t, f.type); break;
            case 8: s->min_exact = taco__thrift_bool(t, f.type); break;
            case 9: s->nan_count = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!s->min.data && !s->max.data && (old_min.data || old_max.data)) {
        s->min = old_min;
        s->max = old_max;
        s->deprecated = true;
    }
}
/* Counts that can not be are not known: they only serve to skip work. */
TACO__FN void taco__stats_drop_impossible(taco__pq_statistics *s, int64_t num_values)
{
    if (!s->given || s->null_count < 0 || s->null_count > num_values) {
        s->null_count = -1;
    }
    if (!s->given || s->nan_count < 0 || s->nan_count > num_values) {
        s->nan_count = -1;
    }
    if (!s->given || s->distinct_count < 0 || s->distinct_count > num_values) {
        s->distinct_count = -1;
    }
}

/* ---- column chunks ----------------------------------------------------------------------------- */

/* The path has to name the schema's leaf: a chunk in the wrong place would give another column's values. */
TACO__FN bool taco__column_meta_check_path(taco__footer_parser *j, unsigned type,
                                           const taco__pq_leaf *leaf)
{
    taco__thrift                  *t = &j->t;
    const taco__pq_schema_element *all = j->out->elements, *e = leaf->element;
    uint64_t                       at = taco__thrift_at(t);
    const taco__pq_schema_element *chain[TACO__SCHEMA_DEPTH_CAP + 2];
    size_t                         depth = 0, i, n;
    uint8_t                        item;
    n = taco__thrift_begin_list(t, type, 1, &item);
    if (n && item != TACO__THRIFT_BINARY) {
        return taco__thrift_fail_type(t, item, "a list of names");
    }
    for (; e != all && depth < TACO__COUNT(chain); e = &all[e->parent]) {
        chain[depth++] = e;
    }
    if (n && n != depth && taco__thrift_ok(t)) {
        return TACO__THRIFT_FAIL(t, at,
                                 "path of the column chunk has %u names, the schema's has %u",
                                 TACO__U(n), TACO__U(depth));
    }
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        const taco_bytes *want = &chain[depth - 1 - i]->name;
        taco_bytes        name = taco__thrift_binary(t, item);
        if (taco__thrift_ok(t) && !taco__bytes_equal(name, *want)) {
            return TACO__THRIFT_FAIL(
                t, at, "path of the column chunk has %q where the schema has %q", &name, want);
        }
    }
    return taco__thrift_ok(t);
}
TACO__FN void taco__column_meta_parse_encodings(taco__thrift *t, unsigned type,
                                                taco__pq_column_chunk *c)
{
    uint8_t item;
    size_t  n = taco__thrift_begin_list(t, type, 1, &item);
    for (; n && taco__thrift_ok(t); n--) {
        int64_t e = taco__thrift_i64(t, item);
        c->encodings |= (uint32_t)1 << (e >= 0 && e < 31 ? e : 31);
    }
}
/* PageEncodingStats: tells whether a dictionary holds every value of the chunk. */
TACO__FN void taco__column_meta_parse_enc_stats(taco__thrift *t, unsigned type,
                                                taco__pq_column_chunk *c)
{
    size_t n = taco__thrift_begin_structs(t, type, 1);
    bool   any = false, other = false;
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_field f;
        int64_t            page = -1, encoding = -1, count = 0;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: page = taco__thrift_i64(t, f.type); break;
            case 2: encoding = taco__thrift_i64(t, f.type); break;
            case 3: count = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
        if (count > 0 && (page == TACO__PQ_PAGE_DATA || page == TACO__PQ_PAGE_DATA_V2)) {
            bool dict = encoding == TACO__PQ_ENC_RLE_DICTIONARY ||
                        encoding == TACO__PQ_ENC_PLAIN_DICTIONARY;
            any = any || dict;
            other = other || !dict;
        }
    }
    c->dict_only = any && !other;
}
/* GeospatialStatistics.bbox; x may wrap the antimeridian (xmin > xmax). */
TACO__FN void taco__column_meta_parse_bbox(taco__footer_parser *j, unsigned type,
                                           taco__pq_column_chunk *c)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    double             v[8];
    unsigned           seen = 0;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            if (f.id >= 1 && f.id <= 8) {
                v[f.id - 1] = taco__thrift_double(t, f.type);
                seen |= 1U << (f.id - 1);
            } else {
                taco__thrift_skip(t, f.type);
            }
        }
    }
    if (!taco__thrift_ok(t) || (seen & 15) != 15) {
        return;
    }
    c->geo = (taco__pq_geo_bounds *)taco__thrift_alloc(t, j->arena, 1, sizeof *c->geo);
    if (c->geo) {
        c->geo->xmin = v[0];
        c->geo->xmax = v[1];
        c->geo->ymin = v[2];
        c->geo->ymax = v[3];
        c->geo->has_z = (seen >> 4 & 3) == 3;
        c->geo->has_m = (seen >> 6 & 3) == 3;
        c->geo->zmin = c->geo->has_z ? v[4] : 0;
        c->geo->zmax = c->geo->has_z ? v[5] : 0;
        c->geo->mmin = c->geo->has_m ? v[6] : 0;
        c->geo->mmax = c->geo->has_m ? v[7] : 0;
    }
}
TACO__FN void taco__column_meta_parse_geo(taco__footer_parser *j, unsigned type,
                                          taco__pq_column_chunk *c)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(&j->t, type, &f)) {
        while (taco__thrift_next(&j->t, &f)) {
            if (f.id == 1) {
                taco__column_meta_parse_bbox(j, f.type, c);
            } else {
                taco__thrift_skip(&j->t, f.type);
            }
        }
    }
}
TACO__FN void taco__column_meta_parse_sizes(taco__thrift *t, unsigned type,
                                            taco__pq_column_chunk *c) /* SizeStatistics */
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            if (f.id == 1) {
                int64_t n = taco__thrift_i64(t, f.type);
                c->unencoded = TACO__MAX(n, (int64_t)-1);
            } else {
                taco__thrift_skip(t, f.type);
            }
        }
    }
}
/* ColumnMetaData. Writers have used the numbers of later optional fields for things of their own (Dremio: a list as 15):
   there another type is another field, as Thrift has it. */
TACO__FN void taco__column_meta_parse_body(taco__footer_parser *j, unsigned type,
                                           const taco__pq_leaf *leaf, taco__pq_column_chunk *c)
{
    static const uint8_t optional[8] = {
        TACO__THRIFT_I64, TACO__THRIFT_I64, TACO__THRIFT_STRUCT, TACO__THRIFT_LIST,
        TACO__THRIFT_I64, TACO__THRIFT_I32, TACO__THRIFT_STRUCT, TACO__THRIFT_STRUCT};
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    int64_t            bloom = -1, bloom_size = -1;
    if (!taco__thrift_begin_struct(t, type, &f)) {
        return;
    }
    c->has_meta = true;
    while (taco__thrift_next(t, &f)) {
        if (f.id >= 10 && f.id <= 17 && !taco__thrift_type_fits(f.type, optional[f.id - 10])) {
            taco__thrift_skip(t, f.type);
            continue;
        }
        switch (f.id) {
        case 1: c->type = taco__thrift_i32(t, f.type); break;
        case 2: taco__column_meta_parse_encodings(t, f.type, c); break;
        case 3: taco__column_meta_check_path(j, f.type, leaf); break;
        case 4: c->codec = taco__thrift_i32(t, f.type); break;
        case 5: c->num_values = taco__thrift_count(t, f.type, "num_values"); break;
        case 6:
            c->uncompressed_size =
                (uint64_t)taco__thrift_count(t, f.type, "total_uncompressed_size");
            break;
        case 7:
            c->compressed_size = (uint64_t)taco__thrift_count(t, f.type, "total_compressed_size");
            break;
        case 9: c->data_offset = taco__thrift_count(t, f.type, "data_page_offset"); break;
        case 10: c->index_page_offset = taco__thrift_i64(t, f.type); break;
        case 11: c->dictionary_offset = taco__thrift_i64(t, f.type); break;
        case 12: taco__stats_parse(t, f.type, &c->stats); break;
        case 13: taco__column_meta_parse_enc_stats(t, f.type, c); break;
        case 14: bloom = taco__thrift_i64(t, f.type); break;
        case 15: bloom_size = taco__thrift_i64(t, f.type); break;
        case 16: taco__column_meta_parse_sizes(t, f.type, c); break;
        case 17: taco__column_meta_parse_geo(j, f.type, c); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
    if (bloom > 0) {
        c->bloom.offset = (uint64_t)bloom;
        c->bloom.size = bloom_size > 0 ? (uint64_t)bloom_size : UINT64_MAX;
    }
}
/* ColumnChunk, as it stands; taco__column_meta_check judges it. */
TACO__FN bool taco__column_meta_parse(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      taco__pq_column_chunk *c)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    int64_t offsets[4] = {0, 0, 0, 0}; /* offset index, its length; column index, its length */
    c->at = taco__thrift_at(t);
    c->type = leaf->type;
    c->data_offset = c->dictionary_offset = c->index_page_offset = c->unencoded = -1;
    c->num_values = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: c->file_path = taco__thrift_binary(t, f.type); break;
            case 3: taco__column_meta_parse_body(j, f.type, leaf, c); break;
            case 4:
            case 5:
            case 6:
            case 7: offsets[f.id - 4] = taco__thrift_i64(t, f.type); break;
            case 8:
            case 9:
                c->encrypted = true;
                taco__thrift_skip(t, f.type);
                break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (offsets[0] > 0 && offsets[1] > 0) {
        c->offset_index.offset = (uint64_t)offsets[0];
        c->offset_index.size = (uint64_t)offsets[1];
    }
    if (offsets[2] > 0 && offsets[3] > 0) {
        c->column_index.offset = (uint64_t)offsets[2];
        c->column_index.size = (uint64_t)offsets[3];
    }
    return taco__thrift_ok(t);
}
/* Indexes and filters only make reads faster: one that can not be where it is said to be is as good as none. */
TACO__FN void taco__column_meta_check_range(taco__pq_range *r, uint64_t end)
{
    uint64_t size = r->size == UINT64_MAX ? 1 : r->size;
    if (r->offset < TACO__PQ_MAGIC_SIZE || !taco__checked_range(r->offset, size, end)) {
        r->offset = r->size = 0;
    }
}
/* The byte range of a chunk's pages. A dictionary stands in front of the data, and data_page_offset of some writers
   points at it; dictionary_page_offset 0 means that there is none; a chunk without data pages has data_page_offset 0. */
TACO__FN bool taco__column_meta_check_pages(taco__footer_parser *j, taco__pq_column_chunk *c)
{
    const taco__pq_metadata *m = j->out;
    int64_t                  start = c->data_offset, dict = c->dictionary_offset;
    uint64_t                 end;
    bool                     in_file, in_front;
    if (dict > 0 && (dict < start || start <= 0)) {
        start = dict;
    }
    in_file = start >= TACO__PQ_MAGIC_SIZE &&
              taco__checked_range((uint64_t)start, c->compressed_size, m->file_size);
    in_front = in_file && (uint64_t)start + c->compressed_size <= m->footer_offset;
    if (c->file_path.len && !in_front) {
        c->external = true;
        return true;
    }
    if (in_front) {
        c->pages.offset = (uint64_t)start;
        c->pages.size = c->compressed_size;
    }
    if (c->num_values == 0) {
        return true; /* nothing to read, wherever it is said to be */
    }
    if (in_front && c->compressed_size > 0) {
        return true;
    }
    if (start < TACO__PQ_MAGIC_SIZE) {
        return TACO__THRIFT_FAIL(&j->t, c->at,
                                 "pages begin at byte %d, the first 4 bytes are the magic", start);
    }
    if (c->compressed_size == 0) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "%u values in 0 bytes of pages",
                                 TACO__U(c->num_values));
    }
    end = (uint64_t)start + c->compressed_size; /* both are below 2^63 */
    if (in_file) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "pages end at byte %u, the footer begins at %u", end,
                                 m->footer_offset);
    }
    TACO__FAIL(j->t.err, TACO_ERR_TRUNCATED, c->at, "pages end at byte %u, the file has %u", end,
               m->file_size);
    return taco__thrift_fail(&j->t, TACO_ERR_TRUNCATED);
}
TACO__FN bool taco__column_meta_check(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      int64_t rows, taco__pq_column_chunk *c)
{
    uint64_t footer = j->out->footer_offset;
    taco__column_meta_check_range(&c->column_index, footer);
    taco__column_meta_check_range(&c->offset_index, footer);
    taco__column_meta_check_range(&c->bloom, footer);
    taco__stats_drop_impossible(&c->stats, c->num_values);
    if (c->encrypted) {
        c->num_values = TACO__MAX(c->num_values, (int64_t)0);
        return true;
    }
    if (!c->has_meta) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "column chunk without metadata");
    }
    if (c->type != leaf->type) {
        return TACO__THRIFT_FAIL(&j->t, c->at,
                                 "column chunk has the physical type %d, the schema says %d",
                                 TACO__D(c->type), TACO__D(leaf->type));
    }
    if (c->num_values < 0 || c->data_offset < 0) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "column chunk without %s",
                                 c->num_values < 0 ? "num_values" : "data_page_offset");
    }
    if (leaf->max_rep == 0 ? c->num_values != rows
                           : c->num_values < rows) { /* every row has a level entry at least */
        return TACO__THRIFT_FAIL(&j->t, c->at,
                                 "column chunk has %d values, its row group has %d rows",
                                 c->num_values, rows);
    }
    return taco__column_meta_check_pages(j, c);
}

/* ---- row groups ---------------------------------------------------------------------------------- */

TACO__FN bool taco__footer_parse_chunks(taco__footer_parser *j, unsigned type, size_t number,
                                        taco__pq_row_group *g)
{
    taco__thrift      *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t           at = taco__thrift_at(t);
    size_t             n = taco__thrift_begin_structs(t, type, 5), i;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (n != m->leaf_count || g->chunks) {
        return TACO__THRIFT_FAIL(
            t, at, "row group %u has %s%u column chunks, the schema has %u columns",
            TACO__U(number), g->chunks ? "again " : "", TACO__U(n), TACO__U(m->leaf_count));
    }
    g->chunks = (taco__pq_column_chunk *)taco__thrift_alloc(t, j->arena, n, sizeof *g->chunks);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        if (!taco__column_meta_parse(j, &m->leaves[i], &g->chunks[i])) {
            taco__footer_prefix_error(m, t->err, number, i);
        }
    }
    return taco__thrift_ok(t);
}
/* Sorting columns are a hint: what can not be is left out. */
TACO__FN void taco__footer_parse_sorting(taco__footer_parser *j, unsigned type,
                                         taco__pq_row_group *g)
{
    taco__thrift *t = &j->t;
    size_t        n = taco__thrift_begin_structs(t, type, 1);
    g->sort = (taco__pq_sorting_column *)taco__thrift_alloc(t, j->arena, n, sizeof *g->sort);
    g->sort_count = 0;
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_field f;
        int64_t            leaf = -1;
        bool               descending = false, nulls_first = false;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: leaf = taco__thrift_i64(t, f.type); break;
            case 2: descending = taco__thrift_bool(t, f.type); break;
            case 3: nulls_first = taco__thrift_bool(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
        if (leaf >= 0 && leaf < j->out->leaf_count) {
            taco__pq_sorting_column *s = &g->sort[g->sort_count++];
            s->leaf = (uint32_t)leaf;
            s->descending = descending;
            s->nulls_first = nulls_first;
        }
    }
}
TACO__FN bool taco__footer_parse_group(taco__footer_parser *j, size_t number, taco__pq_row_group *g)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    uint32_t           i;
    g->at = taco__thrift_at(t);
    g->rows = g->file_offset = g->total_compressed_size = g->ordinal = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: taco__footer_parse_chunks(j, f.type, number, g); break;
            case 2: g->total_byte_size = (uint64_t)taco__thrift_i64(t, f.type); break;
            case 3: g->rows = taco__thrift_count(t, f.type, "num_rows of a row group"); break;
            case 4: taco__footer_parse_sorting(j, f.type, g); break;
            case 5: g->file_offset = taco__thrift_i64(t, f.type); break;
            case 6: g->total_compressed_size = taco__thrift_i64(t, f.type); break;
            case 7: g->ordinal = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (g->rows < 0 || (!g->chunks && j->out->leaf_count)) {
        return TACO__THRIFT_FAIL(t, g->at, "row group %u has no %s", TACO__U(number),
                                 g->rows < 0 ? "num_rows" : "columns");
    }
    for (i = 0; i < j->out->leaf_count; i++) {
        if (!taco__column_meta_check(j, &j->out->leaves[i], g->rows, &g->chunks[i])) {
            taco__footer_prefix_error(j->out, t->err, number, i);
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__footer_parse_groups(taco__footer_parser *j, unsigned type)
{
    taco__thrift      *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t           at = taco__thrift_at(t);
    size_t  n = taco__thrift_begin_structs(t, type, 3), i; /* num_rows, two bytes, and a stop */
    int64_t rows = 0;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (m->groups || n > UINT32_MAX) {
        return TACO__THRIFT_FAIL(t, at, "footer has a second list of row groups");
    }
    m->groups = (taco__pq_row_group *)taco__thrift_alloc(t, j->arena, n, sizeof *m->groups);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        if (!taco__footer_parse_group(j, i, &m->groups[i])) {
            return false;
        }
        m->groups[i].first_row = rows;
        if (m->groups[i].rows > INT64_MAX - rows) {
            return TACO__THRIFT_FAIL(t, m->groups[i].at, "row groups have more than 2^63 rows");
        }
        rows += m->groups[i].rows;
    }
    m->group_count = (uint32_t)n;
    m->num_rows = rows;
    return taco__thrift_ok(t);
}

/* ---- footer ---------------------------------------------------------------------------------------- */

TACO__FN void taco__footer_parse_key_values(taco__footer_parser *j, unsigned type)
{
    taco__thrift      *t = &j->t;
    taco__pq_metadata *m = j->out;
    size_t             n = taco__thrift_begin_structs(t, type, 1), i;
    m->pairs = (taco__pq_key_value *)taco__thrift_alloc(t, j->arena, n, sizeof *m->pairs);
    m->pair_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__thrift_field f;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: m->pairs[i].key = taco__thrift_binary(t, f.type); break;
            case 2: m->pairs[i].value = taco__thrift_binary(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
/* ColumnOrder, one per leaf. A list of another length says nothing about any column. */
TACO__FN void taco__footer_parse_orders(taco__footer_parser *j, unsigned type)
{
    taco__thrift *t = &j->t;
    size_t        n = taco__thrift_begin_structs(t, type, 1), i;
    j->out->has_orders = n == j->out->leaf_count;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__thrift_field f;
        uint8_t            order = TACO__PQ_ORDER_OTHER;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            order = f.id >= TACO__PQ_ORDER_TYPE && f.id <= TACO__PQ_ORDER_INT96
                        ? (uint8_t)f.id
                        : (uint8_t)TACO__PQ_ORDER_OTHER;
            taco__thrift_skip(t, f.type);
        }
        if (j->out->has_orders) {
            j->out->leaves[i].order = order;
        }
    }
}
/* EncryptionAlgorithm: the union's member is all that matters here. */
TACO__FN void taco__footer_parse_encryption(taco__footer_parser *j, unsigned type)
{
    taco__thrift_field f;
    j->out->encryption = 255;
    if (taco__thrift_begin_struct(&j->t, type, &f)) {
        while (taco__thrift_next(&j->t, &f)) {
            j->out->encryption = (uint8_t)(f.id > 0 && f.id < 255 ? f.id : 255);
            taco__thrift_skip(&j->t, f.type);
        }
    }
}
/* True when created_by names `app` of a version below `below` (three numbers). No version counts as 0.0.0. */
TACO__FN bool taco__footer_writer_is_older(taco_bytes created_by, const char *app,
                                           const unsigned below[3])
{
    size_t   n = strlen(app), at, i;
    uint32_t v[3] = {0, 0, 0};
    if (!taco__bytes_starts_with(created_by, app) ||
        (created_by.len > n && created_by.data[n] != ' ')) {
        return false;
    }
    at = n;
    if (taco__bytes_starts_with(taco__bytes_of(created_by.data + at, created_by.len - at),
                                " version ")) {
        at += 9;
        for (i = 0; i < 3; i++) {
            for (; at < created_by.len && created_by.data[at] >= '0' &&
                   created_by.data[at] <= '9' && v[i] < 100000;
                 at++) {
                v[i] = v[i] * 10 + (uint32_t)(created_by.data[at] - '0');
            }
            if (at >= created_by.len || created_by.data[at] != '.') {
                break;
            }
            at++;
        }
    }
    for (i = 0; i < 3; i++) {
        if (v[i] != below[i]) {
            return v[i] < below[i];
        }
    }
    return false;
}
/* Errors of known writers that their files are old enough to have. */
TACO__FN void taco__footer_set_writer_bugs(taco__pq_metadata *m)
{
    static const unsigned mr_binary[3] = {1, 8, 0}, cpp_flag[3] = {2, 0, 0}, any[3] = {99999, 0, 0};
    m->distrust_binary = m->created_by.len == 0 ||
                         taco__footer_writer_is_older(m->created_by, "parquet-mr", mr_binary);
    m->distrust_decimal = taco__footer_writer_is_older(m->created_by, "parquet-cpp", any);
    m->always_compressed = taco__footer_writer_is_older(m->created_by, "parquet-cpp", cpp_flag);
}
/* FileMetaData. Row groups and column orders make sense only behind the schema, and stand there in every file we know;
   should they not, they are read in a second go. */
TACO__FN bool taco__footer_parse_metadata(taco__footer_parser *j)
{
    taco__thrift      *t = &j->t;
    taco__pq_metadata *m = j->out;
    taco__thrift_field f;
    taco__byte_reader  groups = t->cur, orders = t->cur;
    uint8_t            groups_type = 0, orders_type = 0;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: m->version = taco__thrift_i32(t, f.type); break;
            case 2: taco__schema_parse(j, f.type); break;
            case 3: m->claimed_rows = taco__thrift_i64(t, f.type); break;
            case 4:
                groups = t->cur;
                groups_type = f.type;
                if (j->built) {
                    taco__footer_parse_groups(j, f.type);
                } else {
                    taco__thrift_skip(t, f.type);
                }
                break;
            case 5: taco__footer_parse_key_values(j, f.type); break;
            case 6: m->created_by = taco__thrift_binary(t, f.type); break;
            case 7:
                orders = t->cur;
                orders_type = f.type;
                taco__thrift_skip(t, f.type);
                break;
            case 8: taco__footer_parse_encryption(j, f.type); break;
            case 9: m->signing_key = taco__thrift_binary(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (!j->built || !groups_type) {
        return TACO__THRIFT_FAIL(t, t->base, "footer has no %s",
                                 j->built ? "row groups" : "schema");
    }
    if (!m->groups) {
        t->cur = groups;
        taco__footer_parse_groups(j, groups_type);
    }
    if (orders_type && taco__thrift_ok(t)) {
        t->cur = orders;
        taco__footer_parse_orders(j, orders_type);
    }
    return taco__thrift_ok(t);
}
/* Parses and proves a footer (the bytes between the last page and the footer's length) that begins at footer_offset of
   a file of file_size bytes. Everything in *out lives in the arena or in `footer`, which both have to outlive it; on
   failure *out is not to be used. Bytes behind the FileMetaData (a signature) are not looked at. limits may be NULL. */
TACO__FN taco_status taco__footer_parse(taco__arena *arena, taco_bytes footer, uint64_t file_size,
                                        uint64_t footer_offset, const taco_limits *limits,
                                        taco__pq_metadata *out, taco_error *err)
{
    taco__footer_parser j;
    memset(&j, 0, sizeof j);
    memset(out, 0, sizeof *out);
    taco__thrift_init(&j.t, footer, footer_offset, "footer", false, err);
    j.arena = arena;
    j.limits = limits;
    j.out = out;
    out->file_size = file_size;
    out->footer_offset = footer_offset;
    out->footer_size = footer.len;
    if (taco__footer_parse_metadata(&j)) {
        taco__footer_set_writer_bugs(out);
    }
    return j.t.status;
}
/* Index of the column of that name, the first of several; false when there is none. */
TACO__FN bool taco__schema_find_column(const taco__pq_metadata *m, taco_bytes name,
                                       uint32_t *column)
{
    uint32_t i;
    for (i = 0; i < m->column_count; i++) {
        if (taco__bytes_equal(m->nodes[i].element->name, name)) {
            *column = i;
            return true;
        }
    }
    return false;
}

/* ---- page headers ------------------------------------------------------------------------------------ */

TACO__FN void taco__page_header_parse_v1(taco__thrift *t, unsigned type, taco__pq_page_header *p)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: p->num_values = taco__thrift_count32(t, f.type, "num_values of a page"); break;
            case 2: p->encoding = taco__thrift_i32(t, f.type); break;
            case 3: p->def_encoding = taco__thrift_i32(t, f.type); break;
            case 4: p->rep_encoding = taco__thrift_i32(t, f.type); break;
            case 5: taco__stats_parse(t, f.type, &p->stats); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
TACO__FN void taco__page_header_parse_dict(taco__thrift *t, unsigned type, taco__pq_page_header *p)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1:
                p->num_values = taco__thrift_count32(t, f.type, "num_values of a dictionary");
                break;
            case 2: p->encoding = taco__thrift_i32(t, f.type); break;
            case 3: p->is_sorted = taco__thrift_bool(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
TACO__FN void taco__page_header_parse_v2(taco__thrift *t, unsigned type, taco__pq_page_header *p)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: p->num_values = taco__thrift_count32(t, f.type, "num_values of a page"); break;
            case 2: p->num_nulls = taco__thrift_count32(t, f.type, "num_nulls of a page"); break;
            case 3: p->num_rows = taco__thrift_count32(t, f.type, "num_rows of a page"); break;
            case 4: p->encoding = taco__thrift_i32(t, f.type); break;
            case 5:
                p->def_len = taco__thrift_count32(t, f.type, "definition_levels_byte_length");
                break;
            case 6:
                p->rep_len = taco__thrift_count32(t, f.type, "repetition_levels_byte_length");
                break;
            case 7: p->is_compressed = taco__thrift_bool(t, f.type); break;
            case 8: taco__stats_parse(t, f.type, &p->stats); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
/* What a v2 page says about its parts has to fit the whole. */
TACO__FN bool taco__page_header_check_v2(taco__thrift *t, const taco__pq_page_header *p)
{
    uint64_t levels = (uint64_t)p->def_len + p->rep_len;
    if (levels > p->compressed_size || levels > p->uncompressed_size) {
        return TACO__THRIFT_FAIL(t, t->base, "page has %u bytes of levels, its body has %u", levels,
                                 TACO__U(TACO__MIN(p->compressed_size, p->uncompressed_size)));
    }
    if (p->num_nulls > p->num_values || p->num_rows > p->num_values) {
        return TACO__THRIFT_FAIL(t, t->base, "page has %u nulls and %u rows, but %u values",
                                 TACO__U(p->num_nulls), TACO__U(p->num_rows),
                                 TACO__U(p->num_values));
    }
    return true;
}
/* Parses the page header at the beginning of `in`, which stands at file_offset, and tells its length. TRUNCATED: the
   header runs past `in`, more bytes may help. CORRUPT: none will. */
TACO__FN taco_status taco__page_header_parse(taco_bytes in, uint64_t file_offset,
                                             taco__pq_page_header *out, size_t *header_len,
                                             taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    unsigned           seen = 0;
    memset(out, 0, sizeof *out);
    out->is_compressed = true;
    out->stats.null_count = out->stats.distinct_count = out->stats.nan_count = -1;
    *header_len = 0;
    taco__thrift_init(&t, in, file_offset, "page header", true, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        if (f.id >= 1 && f.id <= 8) {
            seen |= 1U << f.id;
        }
        switch (f.id) {
        case 1: out->type = taco__thrift_i32(&t, f.type); break;
        case 2:
            out->uncompressed_size = taco__thrift_count32(&t, f.type, "uncompressed_page_size");
            break;
        case 3:
            out->compressed_size = taco__thrift_count32(&t, f.type, "compressed_page_size");
            break;
        case 4: out->crc = (uint32_t)taco__thrift_i64(&t, f.type); break;
        case 5: taco__page_header_parse_v1(&t, f.type, out); break;
        case 7: taco__page_header_parse_dict(&t, f.type, out); break;
        case 8: taco__page_header_parse_v2(&t, f.type, out); break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    out->has_crc = (seen >> 4 & 1) != 0;
    if (taco__thrift_ok(&t)) {
        static const uint8_t body[4] = {5, 0, 7, 8}; /* by page type: the field that describes it */
        const unsigned       parts = 1U << 5 | 1U << 7 | 1U << 8;
        unsigned             need = out->type >= 0 && out->type <= 3 ? body[out->type] : 0;
        if ((seen & 14) != 14) {
            TACO__THRIFT_FAIL(&t, file_offset, "page header without %s",
                              !(seen & 2)   ? "type"
                              : !(seen & 4) ? "uncompressed_page_size"
                                            : "compressed_page_size");
        } else if ((seen & parts) !=
                   (1U << need & parts)) { /* another part's numbers would pass for this one's */
            TACO__THRIFT_FAIL(&t, file_offset, "page header of type %d %s", TACO__D(out->type),
                              seen & parts & ~(1U << need) ? "has another type's part"
                                                           : "lacks its part");
        } else if (out->type == TACO__PQ_PAGE_DATA_V2) {
            taco__page_header_check_v2(&t, out);
        }
    }
    if (taco__thrift_ok(&t)) {
        taco__stats_drop_impossible(&out->stats, out->num_values);
        *header_len = taco__byte_reader_position(&t.cur);
    }
    return t.status;
}

/* ---- page indexes ------------------------------------------------------------------------------------ */

TACO__FN bool taco__page_index_check_count(taco__thrift *t, size_t n, size_t *pages,
                                           const char *name)
{
    if (*pages == SIZE_MAX) {
        *pages = n;
    }
    if (taco__thrift_ok(t) && n != *pages) {
        return TACO__THRIFT_FAIL(t, taco__thrift_at(t), "%s has %u entries, there are %u pages",
                                 name, TACO__U(n), TACO__U(*pages));
    }
    return taco__thrift_ok(t);
}
TACO__FN const uint8_t *taco__page_index_parse_bools(taco__thrift *t, taco__arena *arena,
                                                     unsigned type, size_t *pages)
{
    uint8_t item, *p;
    size_t  n = taco__thrift_begin_list(t, type, 1, &item), i;
    if (n && item != TACO__THRIFT_TRUE && item != TACO__THRIFT_FALSE) {
        taco__thrift_fail_type(t, item, "a list of booleans");
    }
    if (!taco__page_index_check_count(t, n, pages, "null_pages")) {
        return NULL;
    }
    p = (uint8_t *)taco__thrift_alloc(t, arena, n, 1);
    for (i = 0; i < n && p; i++) {
        p[i] = taco__thrift_bool_in_list(t);
    }
    return p;
}
TACO__FN taco_bytes *taco__page_index_parse_binaries(taco__thrift *t, taco__arena *arena,
                                                     unsigned type, size_t *pages, const char *name)
{
    uint8_t     item;
    size_t      n = taco__thrift_begin_list(t, type, 1, &item), i;
    taco_bytes *p;
    if (!taco__page_index_check_count(t, n, pages, name)) {
        return NULL;
    }
    p = (taco_bytes *)taco__thrift_alloc(t, arena, n, sizeof *p);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        p[i] = taco__thrift_binary(t, item);
    }
    return p;
}
TACO__FN const int64_t *taco__page_index_parse_counts(taco__thrift *t, taco__arena *arena,
                                                      unsigned type, size_t *pages,
                                                      const char *name)
{
    uint8_t  item;
    size_t   n = taco__thrift_begin_list(t, type, 1, &item), i;
    int64_t *p;
    if (!taco__page_index_check_count(t, n, pages, name)) {
        return NULL;
    }
    p = (int64_t *)taco__thrift_alloc(t, arena, n, sizeof *p);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        int64_t x = taco__thrift_i64(t, item);
        p[i] = TACO__MAX(x, (int64_t)-1);
    }
    return p;
}
/* Parses a ColumnIndex that stands at file_offset. Its lists are as long as one another and as `pages` (SIZE_MAX = as
   many as there are). Slices point into `in`. */
TACO__FN taco_status taco__page_index_parse_columns(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset, size_t pages,
                                                    taco__pq_column_index *out, taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    memset(out, 0, sizeof *out);
    taco__thrift_init(&t, in, file_offset, "column index", false, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        switch (f.id) {
        case 1: out->null_pages = taco__page_index_parse_bools(&t, arena, f.type, &pages); break;
        case 2:
            out->min = taco__page_index_parse_binaries(&t, arena, f.type, &pages, "min_values");
            break;
        case 3:
            out->max = taco__page_index_parse_binaries(&t, arena, f.type, &pages, "max_values");
            break;
        case 4: out->boundary_order = taco__thrift_i32(&t, f.type); break;
        case 5:
            out->null_counts =
                taco__page_index_parse_counts(&t, arena, f.type, &pages, "null_counts");
            break;
        case 8:
            out->nan_counts =
                taco__page_index_parse_counts(&t, arena, f.type, &pages, "nan_counts");
            break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    if (taco__thrift_ok(&t) && (!out->null_pages || !out->min || !out->max)) {
        TACO__THRIFT_FAIL(&t, file_offset, "column index without %s",
                          !out->null_pages ? "null_pages"
                          : !out->min      ? "min_values"
                                           : "max_values");
    }
    if (out->boundary_order < 0 || out->boundary_order > 2) {
        out->boundary_order = 0;
    }
    out->pages = pages;
    return t.status;
}
TACO__FN void taco__page_index_parse_location(taco__thrift *t, taco__pq_page_location *p,
                                              const taco__pq_range *chunk)
{
    taco__thrift_field f;
    uint64_t           at = taco__thrift_at(t);
    p->first_row = -1;
    taco__thrift_begin(t, &f);
    while (taco__thrift_next(t, &f)) {
        switch (f.id) {
        case 1: p->offset = (uint64_t)taco__thrift_count(t, f.type, "offset of a page"); break;
        case 2: p->size = taco__thrift_count32(t, f.type, "compressed_page_size"); break;
        case 3: p->first_row = taco__thrift_count(t, f.type, "first_row_index"); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
    if (taco__thrift_ok(t) &&
        (p->size == 0 || p->first_row < 0 || p->offset < chunk->offset ||
         !taco__checked_range(p->offset - chunk->offset, p->size, chunk->size))) {
        TACO__THRIFT_FAIL(t, at,
                          "page of %u bytes at byte %u, its column chunk has %u from byte %u",
                          TACO__U(p->size), p->offset, chunk->size, chunk->offset);
    }
}
/* Parses an OffsetIndex that stands at file_offset: data pages of a chunk of a row group of `rows` rows, all inside the
   chunk, none before another's end, the first at row 0, rows ascending. */
TACO__FN taco_status taco__page_index_parse_offsets(taco__arena *arena, taco_bytes in,
                                                    uint64_t                     file_offset,
                                                    const taco__pq_column_chunk *chunk,
                                                    int64_t rows, taco__pq_offset_index *out,
                                                    taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    size_t             i;
    memset(out, 0, sizeof *out);
    taco__thrift_init(&t, in, file_offset, "offset index", false, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        if (f.id != 1) {
            taco__thrift_skip(&t, f.type);
            continue;
        }
        out->pages = taco__thrift_begin_structs(
            &t, f.type, 7); /* three numbers with their headers, and a stop */
        out->page =
            (taco__pq_page_location *)taco__thrift_alloc(&t, arena, out->pages, sizeof *out->page);
        for (i = 0; i < out->pages && taco__thrift_ok(&t); i++) {
            taco__pq_page_location *p = &out->page[i], *last = i ? p - 1 : NULL;
            uint64_t                at = taco__thrift_at(&t);
            taco__page_index_parse_location(&t, p, &chunk->pages);
            if (taco__thrift_ok(&t) &&
                (last ? p->offset < last->offset + last->size || p->first_row < last->first_row
                      : p->first_row != 0)) {
                TACO__THRIFT_FAIL(&t, at,
                                  "page %u at byte %u, row %d, does not follow the one before it",
                                  TACO__U(i), p->offset, p->first_row);
            } else if (p->first_row > rows) {
                TACO__THRIFT_FAIL(&t, at, "page %u begins at row %d, its row group has %d",
                                  TACO__U(i), p->first_row, rows);
            }
        }
    }
    if (taco__thrift_ok(&t) && !out->page) {
        TACO__THRIFT_FAIL(&t, file_offset, "offset index without page_locations");
    }
    return t.status;
}

/* ---- bloom filters ----------------------------------------------------------------------------------- */

/* A union whose only known member is 1, an empty structure: the rest is for the future. */
TACO__FN bool taco__bloom_parse_union(taco__thrift *t, unsigned type)
{
    taco__thrift_field f;
    bool               first = false;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            first = first || f.id == 1;
            taco__thrift_skip(t, f.type);
        }
    }
    return first;
}
/* Parses a BloomFilterHeader that stands at file_offset: split blocks, XXH64, uncompressed, or UNSUPPORTED. TRUNCATED:
   more bytes may help. */
TACO__FN taco_status taco__bloom_parse_header(taco_bytes in, uint64_t file_offset, uint32_t *bytes,
                                              size_t *header_len, taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    bool               block = false, xxh = false, plain = false;
    *bytes = 0;
    *header_len = 0;
    taco__thrift_init(&t, in, file_offset, "bloom filter", true, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        switch (f.id) {
        case 1: *bytes = taco__thrift_count32(&t, f.type, "numBytes"); break;
        case 2: block = taco__bloom_parse_union(&t, f.type); break;
        case 3: xxh = taco__bloom_parse_union(&t, f.type); break;
        case 4: plain = taco__bloom_parse_union(&t, f.type); break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    if (taco__thrift_ok(&t) && (!block || !xxh || !plain)) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, file_offset,
                          "unsupported: bloom filter that "
                          "is not of split blocks, XXH64 and uncompressed");
    }
    if (taco__thrift_ok(&t) && (*bytes == 0 || *bytes % 32)) {
        TACO__THRIFT_FAIL(&t, file_offset, "bloom filter of %u bytes, blocks have 32",
                          TACO__U(*bytes));
    }
    *header_len = taco__byte_reader_position(&t.cur);
    return t.status;
}
