/* ==== ROOM describe: schemas, types and footers as text, for people and for tools. Uses: num time meta stats. Spec: -
   The message type notation is parquet-mr's, the type names are Arrow's ==== */

/* Appends to a buffer until something fails; then nothing more happens and `ok` says so. */
typedef struct taco__describe_out {
    taco__buf  *buf;
    taco_error *err;
    bool        ok;
} taco__describe_out;

#define TACO__FOOTER_TEXT_PATH                                                                     \
    1024 /* bytes of a column's path; hostile schemas repeat long names in every column */

static const char *const taco__describe_units[4] = {"s", "ms", "us", "ns"};
static const char *const taco__schema_text_physical[8] = {
    "BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
static const char *const taco__footer_text_codecs[8] = {
    "UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"};
static const char *const taco__footer_text_encodings[10] = {"PLAIN",
                                                            NULL,
                                                            "PLAIN_DICTIONARY",
                                                            "RLE",
                                                            "BIT_PACKED",
                                                            "DELTA_BINARY_PACKED",
                                                            "DELTA_LENGTH_BYTE_ARRAY",
                                                            "DELTA_BYTE_ARRAY",
                                                            "RLE_DICTIONARY",
                                                            "BYTE_STREAM_SPLIT"};

TACO__FN void taco__describe_bytes(taco__describe_out *o, const void *data, size_t len)
{
    o->ok = o->ok && taco__buf_append(o->buf, data, len, o->err);
}
TACO__FN void taco__describe_text(taco__describe_out *o, const char *s)
{
    taco__describe_bytes(o, s, strlen(s));
}
TACO__FN void taco__describe_u64(taco__describe_out *o, uint64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_format_u64(text, x));
}
TACO__FN void taco__describe_i64(taco__describe_out *o, int64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_format_i64(text, x));
}
TACO__FN void taco__describe_hex(taco__describe_out *o, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len && o->ok; i++) {
        char two[2];
        two[0] = "0123456789abcdef"[b.data[i] >> 4];
        two[1] = "0123456789abcdef"[b.data[i] & 15];
        taco__describe_bytes(o, two, 2);
    }
}
/* A name in the schema's text: bytes that would break its lines or are not UTF-8 become \xNN. */
TACO__FN void taco__describe_name(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad;
    for (; i < b.len && o->ok; i += n) {
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0 || b.data[i] < 0x20 || b.data[i] == 0x7F || b.data[i] == '\\') {
            taco__describe_text(o, "\\x");
            taco__describe_hex(o, taco__bytes_of(b.data + i, 1));
            n = 1;
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
}
/* A JSON string, quotes included: RFC 8259 §7. What is not UTF-8 becomes U+FFFD. */
TACO__FN void taco__describe_json_string(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad = 1;
    taco__describe_text(o, "\"");
    for (; i < b.len && o->ok; i += n) {
        uint8_t c = b.data[i];
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0) {
            taco__describe_text(o, "\xEF\xBF\xBD");
            n = bad;
        } else if (c == '"' || c == '\\') {
            char two[2];
            two[0] = '\\';
            two[1] = (char)c;
            taco__describe_bytes(o, two, 2);
        } else if (c < 0x20) {
            taco__describe_text(o, "\\u00");
            taco__describe_hex(o, taco__bytes_of(&c, 1));
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
    taco__describe_text(o, "\"");
}
/* A name of a table, or the number where the table has none. */
TACO__FN void taco__describe_enum(taco__describe_out *o, const char *const *names, size_t n,
                                  int64_t i)
{
    if (i >= 0 && (uint64_t)i < n && names[i]) {
        taco__describe_text(o, names[i]);
    } else {
        taco__describe_i64(o, i);
    }
}

/* ---- the schema in message type notation -------------------------------------------------------- */

/* The annotation without its parentheses, "" where there is none: "TIMESTAMP(MICROS,true)". */
TACO__FN void taco__schema_text_annotation(taco__describe_out *o, const taco__pq_schema_element *e)
{
    static const char *const names[19] = {NULL,      "STRING",  "MAP",      "LIST",      "ENUM",
                                          "DECIMAL", "DATE",    "TIME",     "TIMESTAMP", "INTERVAL",
                                          "INTEGER", "UNKNOWN", "JSON",     "BSON",      "UUID",
                                          "FLOAT16", "VARIANT", "GEOMETRY", "GEOGRAPHY"};
    static const char *const units[4] = {"SECONDS", "MILLIS", "MICROS", "NANOS"};
    taco__pq_schema_element  a;
    unsigned                 kind = taco__schema_annotation(e, &a);
    if (kind == TACO__PQ_LOGICAL_NONE) {
        return;
    }
    if (kind >= TACO__COUNT(names)) {
        taco__describe_text(o, "OTHER");
        return;
    }
    if (kind == TACO__PQ_LOGICAL_MAP && !e->logical &&
        e->converted == TACO__PQ_CONVERTED_MAP_KEY_VALUE) {
        taco__describe_text(o, "MAP_KEY_VALUE");
        return;
    }
    taco__describe_text(o, names[kind]);
    if (kind == TACO__PQ_LOGICAL_DECIMAL) {
        taco__describe_text(o, "(");
        taco__describe_i64(o, a.dec_precision);
        taco__describe_text(o, ",");
        taco__describe_i64(o, a.dec_scale);
        taco__describe_text(o, ")");
    } else if (kind == TACO__PQ_LOGICAL_TIME || kind == TACO__PQ_LOGICAL_TIMESTAMP) {
        taco__describe_text(o, "(");
        taco__describe_text(o, units[a.unit & 3]);
        taco__describe_text(o, a.utc ? ",true)" : ",false)");
    } else if (kind == TACO__PQ_LOGICAL_INTEGER) {
        taco__describe_text(o, "(");
        taco__describe_i64(o, a.bits);
        taco__describe_text(o, a.is_signed ? ",true)" : ",false)");
    } else if (a.crs.data) {
        taco__describe_text(o, "(");
        taco__describe_name(o, a.crs);
        taco__describe_text(o, ")");
    }
}
TACO__FN void taco__schema_text_indent(taco__describe_out *o, size_t depth)
{
    for (; depth && o->ok; depth--) {
        taco__describe_text(o, "  ");
    }
}
/* "  optional int64 t (TIMESTAMP(MICROS,true)) = 7;" or "  required group g {". */
TACO__FN void taco__schema_text_element(taco__describe_out *o, const taco__pq_schema_element *e,
                                        size_t depth)
{
    static const char *const repetitions[3] = {"required ", "optional ", "repeated "};
    static const char *const types[8] = {"boolean", "int32",  "int64",  "int96",
                                         "float",   "double", "binary", "fixed_len_byte_array"};
    taco__pq_schema_element  a;
    taco__schema_text_indent(o, depth);
    taco__describe_text(o, repetitions[e->repetition]);
    taco__describe_text(o, e->type == TACO__PQ_GROUP ? "group" : types[e->type]);
    if (e->type == TACO__PQ_FIXED) {
        taco__describe_text(o, "(");
        taco__describe_i64(o, e->type_length);
        taco__describe_text(o, ")");
    }
    taco__describe_text(o, " ");
    taco__describe_name(o, e->name);
    if (taco__schema_annotation(e, &a) != TACO__PQ_LOGICAL_NONE) {
        taco__describe_text(o, " (");
        taco__schema_text_annotation(o, e);
        taco__describe_text(o, ")");
    }
    if (e->has_field_id) {
        taco__describe_text(o, " = ");
        taco__describe_i64(o, e->field_id);
    }
    taco__describe_text(o, e->type == TACO__PQ_GROUP ? " {\n" : ";\n");
}
/* Appends the schema as text. False on failure. */
TACO__FN bool taco__schema_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    const taco__pq_schema_element *e = m->elements;
    uint32_t                       i, open = 0;
    size_t                         depth = 1;
    taco__describe_out             o;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__describe_text(&o, "message ");
    taco__describe_name(&o, e[0].name);
    taco__describe_text(&o, " {\n");
    for (i = 1; i <= m->element_count && o.ok; i++) {
        while (
            depth &&
            i == e[open].next) { /* groups that end in front of element i; in the end all of them */
            open = e[open].parent;
            taco__schema_text_indent(&o, --depth);
            taco__describe_text(&o, "}\n");
        }
        if (i < m->element_count) {
            taco__schema_text_element(&o, &e[i], depth);
            if (e[i].type == TACO__PQ_GROUP) {
                open = i;
                depth++;
            }
        }
    }
    return o.ok;
}

/* ---- Arrow's names of types ----------------------------------------------------------------------- */

TACO__FN void taco__type_name_field(taco__describe_out *o, const taco_field *f); /* recursive */

TACO__FN void taco__type_name_number(taco__describe_out *o, const char *before, int64_t x,
                                     const char *after)
{
    taco__describe_text(o, before);
    taco__describe_i64(o, x);
    taco__describe_text(o, after);
}
TACO__FN void taco__type_name_children(taco__describe_out *o, const taco_field *f, bool names)
{
    uint32_t i;
    for (i = 0; i < f->child_count && o->ok; i++) {
        if (i) {
            taco__describe_text(o, ", ");
        }
        if (names) {
            taco__describe_text(o, f->children[i].name);
            taco__describe_text(o, ": ");
        }
        taco__type_name_field(o, &f->children[i]);
    }
    taco__describe_text(o, ">");
}
TACO__FN void taco__type_name_field(taco__describe_out *o, const taco_field *f)
{
    static const char *const plain[] = {"null",      "bool",  "int8",   "int16",  "int32",
                                        "int64",     "uint8", "uint16", "uint32", "uint64",
                                        "halffloat", "float", "double"};
    switch (f->type) {
    case TACO_DECIMAL:
        taco__describe_text(o, f->width == 16   ? "decimal128"
                               : f->width == 32 ? "decimal256"
                                                : "decimal");
        taco__type_name_number(o, "(", f->precision, ", ");
        taco__type_name_number(o, "", f->scale, ")");
        break;
    case TACO_DATE: taco__describe_text(o, "date32[day]"); break;
    case TACO_TIME:
        taco__describe_text(o, f->width == 4 ? "time32[" : "time64[");
        taco__describe_text(o, taco__describe_units[f->unit]);
        taco__describe_text(o, "]");
        break;
    case TACO_TIMESTAMP:
        taco__describe_text(o, "timestamp[");
        taco__describe_text(o, taco__describe_units[f->unit]);
        taco__describe_text(o, f->utc ? ", tz=UTC]" : "]");
        break;
    case TACO_INT96: taco__describe_text(o, "timestamp[ns]"); break;
    case TACO_TEXT: taco__describe_text(o, "string"); break;
    case TACO_BINARY: taco__describe_text(o, "binary"); break;
    case TACO_INTERVAL:
    case TACO_FIXED:
    case TACO_UUID: taco__type_name_number(o, "fixed_size_binary[", f->width, "]"); break;
    case TACO_LIST:
        taco__describe_text(o, "list<item: ");
        taco__type_name_children(o, f, false);
        break;
    case TACO_MAP:
        taco__describe_text(o, "map<");
        taco__type_name_children(o, &f->children[0], false);
        break;
    case TACO_STRUCT:
        taco__describe_text(o, "struct<");
        taco__type_name_children(o, f, true);
        break;
    default: taco__describe_text(o, plain[f->type]); break; /* TACO_NULL to TACO_DOUBLE */
    }
}
/* Appends Arrow's name of a type: "list<item: double>". False on failure. */
TACO__FN bool taco__type_name_append(const taco_field *f, taco__buf *out, taco_error *err)
{
    taco__describe_out o;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__type_name_field(&o, f);
    return o.ok;
}

/* ---- the footer as JSON ------------------------------------------------------------------------------ */

TACO__FN void taco__describe_quoted_hex(taco__describe_out *o, taco_bytes b)
{
    taco__describe_text(o, "\"");
    taco__describe_hex(o, b);
    taco__describe_text(o, "\"");
}
/* A PLAIN value of INT32, INT64 or BOOLEAN. */
TACO__FN void taco__describe_integer(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    int64_t x = taco__stats_integer(b);
    char    text[TACO__TIME_CHARS];
    size_t  n = 0;
    switch (f->type) {
    case TACO_BOOL: taco__describe_text(o, x ? "true" : "false"); return;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: taco__describe_u64(o, (uint64_t)x & 0xFFFFFFFFU); return;
    case TACO_UINT64: taco__describe_u64(o, (uint64_t)x); return;
    case TACO_DATE: n = taco__time_format_date(text, x); break;
    case TACO_TIMESTAMP: n = taco__time_format_timestamp(text, x, f->unit, f->utc); break;
    case TACO_TIME:
        if (!taco__time_format_time(text, x, f->unit, &n)) {
            n = 0; /* out of the day: the number */
        }
        break;
    case TACO_DECIMAL: {
        uint8_t le[8];
        taco__put_le64(le, (uint64_t)x);
        taco__describe_text(o, "\"");
        o->ok = o->ok && taco__decimal_append_le(o->buf, le, 8, f->scale, o->err);
        taco__describe_text(o, "\"");
        return;
    }
    default: break;
    }
    if (n) {
        taco__describe_json_string(o, taco__bytes_of(text, n));
    } else {
        taco__describe_i64(o, x);
    }
}
TACO__FN void taco__describe_float(taco__describe_out *o, taco_bytes b)
{
    char    text[32];
    int64_t order;
    bool    number = taco__stats_float_order(b, &order);
    size_t n = b.len == 8 ? taco__num_format_f64(text, taco__f64_from_bits(taco__load_le64(b.data)))
               : b.len == 4
                   ? taco__num_format_f32(text, taco__f32_from_bits(taco__load_le32(b.data)))
                   : taco__num_format_f16(text, taco__load_le16(b.data));
    bool   bare = number && text[n - 1] != 'y'; /* Infinity is no JSON number either */
    taco__describe_text(o, bare ? "" : "\"");
    taco__describe_bytes(o, text, n);
    taco__describe_text(o, bare ? "" : "\"");
}
/* UUID, INT96 and INTERVAL of their lengths; false for what is none. */
TACO__FN bool taco__describe_fixed(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    static const uint8_t     ends[] = {4, 6, 8, 10, 16};
    static const char *const names[] = {" months ", " days ", " ms"};
    char                     text[TACO__TIME_CHARS];
    size_t                   i, at = 0;
    if (f->type == TACO_UUID && b.len == 16) {
        for (i = 0; i < TACO__COUNT(ends); at = ends[i++]) {
            taco__describe_text(o, i ? "-" : "\"");
            taco__describe_hex(o, taco__bytes_of(b.data + at, ends[i] - at));
        }
        taco__describe_text(o, "\"");
    } else if (f->type == TACO_INT96 && b.len == 12) {
        taco__describe_json_string(o, taco__bytes_of(text, taco__time_format_int96(text, b.data)));
    } else if (f->type == TACO_INTERVAL && b.len == 12) {
        for (i = 0; i < 3; i++) {
            taco__describe_text(o, i ? "" : "\"");
            taco__describe_u64(o, taco__load_le32(b.data + 4 * i));
            taco__describe_text(o, names[i]);
        }
        taco__describe_text(o, "\"");
    } else {
        return false;
    }
    return true;
}
/* A bound as its type is written; in hex where its length is not one the type has. */
TACO__FN void taco__describe_value(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b)
{
    static const uint8_t lengths[6] = {1, 4, 8, 12, 4, 8};
    const taco_field    *f = leaf->field;
    if (leaf->type < TACO__PQ_BYTE_ARRAY && b.len != lengths[leaf->type]) {
        taco__describe_quoted_hex(o, b);
        return;
    }
    switch (leaf->type) {
    case TACO__PQ_BOOLEAN:
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__describe_integer(o, f, b); return;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: taco__describe_float(o, b); return;
    default: break;
    }
    if (taco__describe_fixed(o, f, b)) {
        return;
    }
    if (f->type == TACO_TEXT && taco__utf8_valid(b)) {
        taco__describe_json_string(o, b);
    } else if (f->type == TACO_HALF && b.len == 2) {
        taco__describe_float(o, b);
    } else if (f->type == TACO_DECIMAL && b.len > 0 && b.len <= 64 &&
               f->scale <= 100) { /* hostile scales make long texts */
        taco__describe_text(o, "\"");
        o->ok = o->ok && taco__decimal_append_be(o->buf, b, f->scale, o->err);
        taco__describe_text(o, "\"");
    } else {
        taco__describe_quoted_hex(o, b);
    }
}
/* `"key":` with a comma in front of all but the first. */
TACO__FN void taco__footer_json_key(taco__describe_out *o, const char *key)
{
    if (o->ok && o->buf->len && o->buf->data[o->buf->len - 1] != '{') {
        taco__describe_text(o, ",");
    }
    taco__describe_text(o, "\"");
    taco__describe_text(o, key);
    taco__describe_text(o, "\":");
}
TACO__FN void taco__footer_json_u64(taco__describe_out *o, const char *key, uint64_t x)
{
    taco__footer_json_key(o, key);
    taco__describe_u64(o, x);
}
TACO__FN void taco__footer_json_count(taco__describe_out *o, const char *key,
                                      int64_t x) /* left out when it is not known */
{
    if (x >= 0) {
        taco__footer_json_key(o, key);
        taco__describe_i64(o, x);
    }
}
TACO__FN void taco__footer_json_bool(taco__describe_out *o, const char *key, bool x)
{
    taco__footer_json_key(o, key);
    taco__describe_text(o, x ? "true" : "false");
}
TACO__FN void taco__footer_json_range(taco__describe_out *o, const char *key,
                                      const taco__pq_range *r)
{
    if (r->size == 0) {
        return;
    }
    taco__footer_json_key(o, key);
    taco__describe_text(o, "{");
    taco__footer_json_u64(o, "offset", r->offset);
    if (r->size != UINT64_MAX) {
        taco__footer_json_u64(o, "size", r->size);
    }
    taco__describe_text(o, "}");
}
TACO__FN void taco__footer_text_path(taco__describe_out *o, const taco__pq_metadata *m,
                                     const taco__pq_leaf *leaf)
{
    char text[TACO__FOOTER_TEXT_PATH];
    taco__footer_json_key(o, "path");
    taco__describe_json_string(o, taco__schema_path(m, leaf->element, text, sizeof text));
}
TACO__FN void taco__footer_json_statistics(taco__describe_out *o, const taco__pq_metadata *m,
                                           const taco__pq_leaf *leaf, const taco__pq_statistics *s)
{
    taco__pq_bounds bounds;
    if (!s->given) {
        return;
    }
    taco__stats_bounds(m, leaf, s, &bounds);
    taco__footer_json_key(o, "statistics");
    taco__describe_text(o, "{");
    if (s->min.data) {
        taco__footer_json_key(o, "min");
        taco__describe_value(o, leaf, s->min);
    }
    if (s->max.data) {
        taco__footer_json_key(o, "max");
        taco__describe_value(o, leaf, s->max);
    }
    if (s->min.data || s->max.data) {
        taco__footer_json_bool(o, "min_exact", s->min_exact);
        taco__footer_json_bool(o, "max_exact", s->max_exact);
        taco__footer_json_bool(o, "deprecated", s->deprecated);
        taco__footer_json_bool(o, "usable", bounds.min.data || bounds.max.data);
    }
    taco__footer_json_count(o, "null_count", s->null_count);
    taco__footer_json_count(o, "distinct_count", s->distinct_count);
    taco__footer_json_count(o, "nan_count", s->nan_count);
    taco__describe_text(o, "}");
}
TACO__FN void taco__footer_json_encodings(taco__describe_out *o, uint32_t encodings)
{
    const char *comma = "";
    int         i;
    taco__footer_json_key(o, "encodings");
    taco__describe_text(o, "[");
    for (i = 0; i < 32; i++) {
        if (encodings >> i & 1) {
            taco__describe_text(o, comma);
            taco__describe_text(o, "\"");
            taco__describe_enum(o, taco__footer_text_encodings,
                                TACO__COUNT(taco__footer_text_encodings), i);
            taco__describe_text(o, "\"");
            comma = ",";
        }
    }
    taco__describe_text(o, "]");
}
TACO__FN void taco__footer_json_bbox(taco__describe_out *o, const taco__pq_geo_bounds *g)
{
    const double v[4] = {g->xmin, g->ymin, g->xmax, g->ymax};
    size_t       i;
    taco__footer_json_key(o, "bbox");
    taco__describe_text(o, "[");
    for (i = 0; i < 4; i++) {
        uint8_t le[8];
        taco__put_le64(le, taco__f64_to_bits(v[i]));
        taco__describe_text(o, i ? "," : "");
        taco__describe_float(o, taco__bytes_of(le, 8));
    }
    taco__describe_text(o, "]");
}
TACO__FN void taco__footer_json_chunk(taco__describe_out *o, const taco__pq_metadata *m,
                                      const taco__pq_leaf *leaf, const taco__pq_column_chunk *c)
{
    taco__describe_text(o, "{");
    taco__footer_text_path(o, m, leaf);
    if (c->encrypted) {
        taco__footer_json_bool(o, "encrypted", true);
    }
    if (c->file_path.len) {
        taco__footer_json_key(o, "file_path");
        taco__describe_json_string(o, c->file_path);
    }
    if (c->has_meta) {
        taco__footer_json_key(o, "codec");
        taco__describe_text(o, "\"");
        taco__describe_enum(o, taco__footer_text_codecs, TACO__COUNT(taco__footer_text_codecs),
                            c->codec);
        taco__describe_text(o, "\"");
        taco__footer_json_encodings(o, c->encodings);
        taco__footer_json_count(o, "num_values", c->num_values);
        taco__footer_json_u64(o, "uncompressed_size", c->uncompressed_size);
        taco__footer_json_u64(o, "compressed_size", c->compressed_size);
        taco__footer_json_count(o, "data_page_offset", c->data_offset);
        taco__footer_json_count(o, "dictionary_page_offset", c->dictionary_offset);
        taco__footer_json_count(o, "index_page_offset", c->index_page_offset);
        taco__footer_json_count(o, "unencoded_bytes", c->unencoded);
        taco__footer_json_range(o, "pages", &c->pages);
        taco__footer_json_range(o, "column_index", &c->column_index);
        taco__footer_json_range(o, "offset_index", &c->offset_index);
        taco__footer_json_range(o, "bloom_filter", &c->bloom);
        taco__footer_json_statistics(o, m, leaf, &c->stats);
        if (c->geo) {
            taco__footer_json_bbox(o, c->geo);
        }
    }
    taco__describe_text(o, "}");
}
TACO__FN void taco__footer_json_group(taco__describe_out *o, const taco__pq_metadata *m,
                                      const taco__pq_row_group *g)
{
    uint32_t i;
    taco__describe_text(o, "{");
    taco__footer_json_count(o, "num_rows", g->rows);
    taco__footer_json_count(o, "first_row", g->first_row);
    taco__footer_json_u64(o, "total_byte_size", g->total_byte_size);
    taco__footer_json_count(o, "total_compressed_size", g->total_compressed_size);
    taco__footer_json_count(o, "file_offset", g->file_offset);
    taco__footer_json_count(o, "ordinal", g->ordinal);
    if (g->sort_count) {
        taco__footer_json_key(o, "sorting_columns");
        taco__describe_text(o, "[");
        for (i = 0; i < g->sort_count && o->ok; i++) {
            taco__describe_text(o, i ? ",{" : "{");
            taco__footer_json_u64(o, "column", g->sort[i].leaf);
            taco__footer_json_bool(o, "descending", g->sort[i].descending);
            taco__footer_json_bool(o, "nulls_first", g->sort[i].nulls_first);
            taco__describe_text(o, "}");
        }
        taco__describe_text(o, "]");
    }
    taco__footer_json_key(o, "columns");
    taco__describe_text(o, "[");
    for (i = 0; i < m->leaf_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n  " : "\n  ");
        taco__footer_json_chunk(o, m, &m->leaves[i], &g->chunks[i]);
    }
    taco__describe_text(o, "]}");
}
TACO__FN void taco__footer_json_leaf(taco__describe_out *o, const taco__pq_metadata *m,
                                     const taco__pq_leaf *leaf)
{
    static const char *const orders[4] = {NULL, "TYPE_ORDER", "IEEE_754_TOTAL_ORDER",
                                          "INT96_TIMESTAMP_ORDER"};
    taco__pq_schema_element  a;
    taco__describe_text(o, "{");
    taco__footer_text_path(o, m, leaf);
    taco__footer_json_key(o, "type");
    taco__describe_text(o, "\"");
    taco__describe_text(o, taco__schema_text_physical[leaf->type]);
    taco__describe_text(o, "\"");
    if (leaf->type == TACO__PQ_FIXED) {
        taco__footer_json_u64(o, "type_length", (uint64_t)leaf->type_length);
    }
    if (taco__schema_annotation(leaf->element, &a) != TACO__PQ_LOGICAL_NONE) {
        size_t at;
        taco__footer_json_key(o, "annotation");
        taco__describe_text(o, "\"");
        at = o->buf->len;
        taco__schema_text_annotation(o, leaf->element);
        while (o->ok &&
               at < o->buf->len) { /* a CRS is free text: what JSON would escape is left out */
            uint8_t *c = &o->buf->data[at++];
            *c = *c == '"' || *c == '\\' ? (uint8_t)'?' : *c;
        }
        taco__describe_text(o, "\"");
    }
    taco__footer_json_count(o, "max_definition_level", leaf->max_def);
    taco__footer_json_count(o, "max_repetition_level", leaf->max_rep);
    if (leaf->order < TACO__COUNT(orders) && orders[leaf->order]) {
        taco__footer_json_key(o, "column_order");
        taco__describe_text(o, "\"");
        taco__describe_text(o, orders[leaf->order]);
        taco__describe_text(o, "\"");
    }
    taco__describe_text(o, "}");
}
TACO__FN void taco__footer_json_key_values(taco__describe_out *o, const taco__pq_metadata *m)
{
    uint32_t i;
    taco__footer_json_key(o, "key_value_metadata");
    taco__describe_text(o, "[");
    for (i = 0; i < m->pair_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n {" : "\n {");
        taco__footer_json_key(o, "key");
        taco__describe_json_string(o, m->pairs[i].key);
        if (m->pairs[i].value.data) {
            taco__footer_json_key(o, "value");
            taco__describe_json_string(o, m->pairs[i].value);
        }
        taco__describe_text(o, "}");
    }
    taco__describe_text(o, "]");
}
/* ---- the footer as a table for people ----------------------------------------------------------- */

/* Spaces up to column `width` of a cell that began at byte `from` of the text, and two more. A character is a column. */
TACO__FN void taco__footer_text_pad(taco__describe_out *o, size_t from, size_t width)
{
    size_t i, n = 0;
    for (i = from; o->ok && i < o->buf->len; i++) {
        n += (o->buf->data[i] & 0xC0) != 0x80;
    }
    for (width = TACO__MAX(n, width) + 2; o->ok && n < width; n++) {
        taco__describe_text(o, " ");
    }
}
/* A bound, cut to 24 characters. */
TACO__FN void taco__footer_text_bound(taco__describe_out *o, const taco__pq_leaf *leaf,
                                      taco_bytes b)
{
    size_t from = o->buf->len, i, n = 0;
    if (!b.data) {
        taco__describe_text(o, "?");
        return;
    }
    taco__describe_value(o, leaf, b);
    for (i = from; o->ok && i < o->buf->len; i++) {
        n += (o->buf->data[i] & 0xC0) != 0x80;
        if (n > 24) {
            o->buf->len = i;
            taco__describe_text(o, "...");
            return;
        }
    }
}
TACO__FN void taco__footer_text_sizes(taco__describe_out *o, const taco__pq_column_chunk *c)
{
    size_t from = o->buf->len;
    int    i;
    taco__describe_enum(o, taco__footer_text_codecs, TACO__COUNT(taco__footer_text_codecs),
                        c->codec);
    taco__footer_text_pad(o, from, 12);
    from = o->buf->len;
    taco__describe_i64(o, c->num_values);
    taco__footer_text_pad(o, from, 8);
    from = o->buf->len;
    taco__describe_u64(o, c->compressed_size);
    taco__describe_text(o, "/");
    taco__describe_u64(o, c->uncompressed_size);
    taco__footer_text_pad(o, from, 15);
    for (i = 0, from = 0; i < 32; i++) {
        if (c->encodings >> i & 1) {
            taco__describe_text(o, from++ ? "," : "");
            taco__describe_enum(o, taco__footer_text_encodings,
                                TACO__COUNT(taco__footer_text_encodings), i);
        }
    }
}
TACO__FN void taco__footer_text_row(taco__describe_out *o, const taco__pq_metadata *m,
                                    const taco__pq_leaf *leaf, const taco__pq_column_chunk *c,
                                    size_t width)
{
    char   text[TACO__FOOTER_TEXT_PATH];
    size_t from;
    taco__describe_text(o, "  ");
    from = o->buf->len;
    taco__describe_name(o, taco__schema_path(m, leaf->element, text, sizeof text));
    taco__footer_text_pad(o, from, width);
    from = o->buf->len;
    taco__describe_text(o, taco__schema_text_physical[leaf->type]);
    taco__footer_text_pad(o, from, 10);
    if (!c->has_meta || c->encrypted) {
        taco__describe_text(o, c->encrypted ? "encrypted\n" : "no metadata\n");
        return;
    }
    taco__footer_text_sizes(o, c);
    if (c->stats.min.data || c->stats.max.data) {
        taco__describe_text(o, "  ");
        taco__footer_text_bound(o, leaf, c->stats.min);
        taco__describe_text(o, " .. ");
        taco__footer_text_bound(o, leaf, c->stats.max);
    }
    if (c->stats.given && c->stats.null_count >= 0) {
        taco__describe_text(o, "  nulls ");
        taco__describe_i64(o, c->stats.null_count);
    }
    taco__describe_text(o, c->column_index.size || c->offset_index.size ? "  page index" : "");
    taco__describe_text(o, c->bloom.size ? "  bloom" : "");
    taco__describe_text(o, c->external ? "  in another file\n" : "\n");
}
TACO__FN void taco__footer_text_sorting(taco__describe_out *o, const taco__pq_metadata *m,
                                        const taco__pq_row_group *g)
{
    char     text[TACO__FOOTER_TEXT_PATH];
    uint32_t i;
    for (i = 0; i < g->sort_count && o->ok; i++) {
        taco__describe_text(o, i ? ", " : ", sorted by ");
        taco__describe_name(
            o, taco__schema_path(m, m->leaves[g->sort[i].leaf].element, text, sizeof text));
        taco__describe_text(o, g->sort[i].descending ? " desc" : "");
    }
}
/* Appends the footer as lines: the file, then each row group and its column chunks. False on failure. */
TACO__FN bool taco__footer_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    char               text[TACO__FOOTER_TEXT_PATH];
    taco__describe_out o;
    size_t             width = 0;
    uint32_t           i, k;
    o.buf = out;
    o.err = err;
    o.ok = true;
    for (i = 0; i < m->leaf_count; i++) {
        taco_bytes path = taco__schema_path(m, m->leaves[i].element, text, sizeof text);
        width = TACO__MAX(width, TACO__MIN(path.len, (size_t)40));
    }
    taco__describe_u64(&o, m->file_size);
    taco__describe_text(&o, " bytes, footer ");
    taco__describe_u64(&o, m->footer_size);
    taco__describe_text(&o, ", ");
    taco__describe_i64(&o, m->num_rows);
    taco__describe_text(&o, " rows, ");
    taco__describe_u64(&o, m->leaf_count);
    taco__describe_text(&o, " columns, ");
    taco__describe_u64(&o, m->group_count);
    taco__describe_text(&o, " row groups\nwritten by ");
    taco__describe_name(&o, m->created_by.data ? m->created_by : taco__bytes_text("?"));
    taco__describe_text(&o, "\n");
    for (i = 0; i < m->pair_count && o.ok; i++) {
        taco__describe_text(&o, "key ");
        taco__describe_name(&o, m->pairs[i].key);
        taco__describe_text(&o, ", ");
        taco__describe_u64(&o, m->pairs[i].value.len);
        taco__describe_text(&o, " bytes\n");
    }
    for (i = 0; i < m->group_count && o.ok; i++) {
        const taco__pq_row_group *g = &m->groups[i];
        taco__describe_text(&o, "\nrow group ");
        taco__describe_u64(&o, i);
        taco__describe_text(&o, ": ");
        taco__describe_i64(&o, g->rows);
        taco__describe_text(&o, " rows, ");
        taco__describe_u64(&o, g->total_byte_size);
        taco__describe_text(&o, " bytes uncompressed");
        taco__footer_text_sorting(&o, m, g);
        taco__describe_text(&o, "\n");
        for (k = 0; k < m->leaf_count && o.ok; k++) {
            taco__footer_text_row(&o, m, &m->leaves[k], &g->chunks[k], width);
        }
    }
    return o.ok;
}
/* Appends the footer as one JSON object over several lines. False on failure. */
TACO__FN bool taco__footer_json_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    taco__describe_out o;
    uint32_t           i;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__describe_text(&o, "{");
    taco__footer_json_u64(&o, "file_size", m->file_size);
    taco__footer_json_u64(&o, "footer_offset", m->footer_offset);
    taco__footer_json_u64(&o, "footer_size", m->footer_size);
    taco__footer_json_key(&o, "version");
    taco__describe_i64(&o, m->version);
    taco__footer_json_key(&o, "created_by");
    if (m->created_by.data) {
        taco__describe_json_string(&o, m->created_by);
    } else {
        taco__describe_text(&o, "null");
    }
    taco__footer_json_count(&o, "num_rows", m->num_rows);
    if (m->encryption) {
        taco__footer_json_u64(&o, "encryption_algorithm", m->encryption);
    }
    taco__footer_json_key_values(&o, m);
    taco__footer_json_key(&o, "columns");
    taco__describe_text(&o, "[");
    for (i = 0; i < m->leaf_count && o.ok; i++) {
        taco__describe_text(&o, i ? ",\n " : "\n ");
        taco__footer_json_leaf(&o, m, &m->leaves[i]);
    }
    taco__describe_text(&o, "]");
    taco__footer_json_key(&o, "row_groups");
    taco__describe_text(&o, "[");
    for (i = 0; i < m->group_count && o.ok; i++) {
        taco__describe_text(&o, i ? ",\n " : "\n ");
        taco__footer_json_group(&o, m, &m->groups[i]);
    }
    taco__describe_text(&o, "]}\n");
    return o.ok;
}
