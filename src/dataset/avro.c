/* ==== ROOM avro: object container files into Arrow columns. Uses: base error mem flate json. Spec: Apache Avro 1.11 ====
   The metadata of the first FOLDER datasets. A schema becomes a tree of nodes, one per Arrow column or child. A node
   appends to its own buffers while rows are decoded, and these move to the arena when all is read.

   Nothing in a row is free: every value that can differ takes a byte of the file. What takes none (null, and records of
   nothing else) is never visited, only given its length at the end; and children of a null record are filled up in one
   step when the next one that is not null comes. So time goes with bytes read plus bytes made, and those have limits. */

/* What a file becomes. All of it is the arena's. */
typedef struct taco__avro_table {
    const taco_field *fields; /* field_count of them */
    size_t            field_count;
    const taco_array *columns; /* as many, of rows values each */
    size_t            rows;
} taco__avro_table;

/* How a value is encoded; the Arrow type it becomes also depends on its logical type. From ARRAY on there are children. */
typedef enum taco__avro_kind {
    TACO__AVRO_NULL = 0,
    TACO__AVRO_BOOLEAN,
    TACO__AVRO_INT,
    TACO__AVRO_LONG,
    TACO__AVRO_FLOAT,
    TACO__AVRO_DOUBLE,
    TACO__AVRO_BYTES,
    TACO__AVRO_STRING,
    TACO__AVRO_FIXED,
    TACO__AVRO_ENUM,
    TACO__AVRO_ARRAY,
    TACO__AVRO_MAP,
    TACO__AVRO_RECORD
} taco__avro_kind;

typedef struct taco__avro_node {
    taco_field             *field;
    struct taco__avro_node *children; /* child_count of them; their fields lie in the same order */
    uint32_t                child_count;
    const uint32_t         *live; /* RECORD: which children are not empty, live_count of them */
    uint32_t                live_count;
    uint32_t                branches;    /* of its union, 0 when there is none */
    uint32_t                null_branch; /* which of them is null */
    uint32_t                symbol_count;
    const taco_bytes       *symbols; /* ENUM */
    int32_t                 fixed;   /* FIXED: bytes in the file */
    uint8_t                 kind;    /* taco__avro_kind */
    bool                    empty;   /* takes no byte in any row, and is never visited */
    size_t                  length;  /* entries so far; below a null record this may be behind */
    size_t                  null_count;
    taco__buf               validity, offsets,
        values; /* as taco_array wants them; each empty where it has no such part */
} taco__avro_node;

/* A named type. They are a list, and few enough for that; the hash saves comparing names. */
#define TACO__AVRO_MAX_NAMES 1024
#define TACO__AVRO_MAX_EXPANDED                                                                    \
    ((uint32_t)1 << 24) /* values of JSON read for all uses of named types */
typedef struct taco__avro_name {
    const struct taco__avro_name *next;
    taco_bytes                    space, name;
    uint32_t                      hash;
    bool                          open; /* its own definition is being read */
    const taco__json             *schema;
} taco__avro_name;

/* One file that is being read. */
typedef struct taco__avro {
    taco__arena      *arena;
    taco__byte_reader c;    /* over the file, or over one block of it */
    uint64_t          base; /* where in the file the cursor's bytes begin */
    bool     packed; /* they are unpacked from a block at base, and have no offsets of their own */
    uint64_t empty_left; /* values of no bytes that may still be claimed */
    uint32_t node_count, max_nodes, max_depth;
    uint32_t leaf_count, name_count, expanded;
    taco__avro_name *names; /* the latest first */
    taco_error      *err;   /* never NULL in here */
} taco__avro;

/* ---- schema ---- */

/* Where in the file the next byte is, as far as it has a place there. */
TACO__FN uint64_t taco__avro_offset(const taco__avro *a)
{
    return a->base + (a->packed ? 0 : taco__byte_reader_position(&a->c));
}
/* Splits "space.name" at its last point; a name without one is in the space around it. */
TACO__FN void taco__avro_schema_split_name(taco_bytes full, taco_bytes around, taco_bytes *space,
                                           taco_bytes *name)
{
    size_t i = full.len;
    while (i && full.data[i - 1] != '.') {
        i--;
    }
    *name = taco__bytes_of(full.data + i, full.len - i);
    *space = i ? taco__bytes_of(full.data, i - 1) : around;
}
/* FNV-1a. */
TACO__FN uint32_t taco__avro_schema_hash_name(taco_bytes b)
{
    uint32_t h = 2166136261U;
    size_t   i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * 16777619U;
    }
    return h;
}
/* The latest definition of a full name, NULL when there is none. */
TACO__FN taco__avro_name *taco__avro_schema_find_name(const taco__avro *a, taco_bytes space,
                                                      taco_bytes name)
{
    uint32_t         hash = taco__avro_schema_hash_name(name);
    taco__avro_name *d;
    for (d = a->names; d; d = (taco__avro_name *)d->next) {
        if (d->hash == hash && taco__bytes_equal(d->name, name) &&
            taco__bytes_equal(d->space, space)) {
            return d;
        }
    }
    return NULL;
}
/* The entry of a definition, a new one the first time it is read. */
TACO__FN taco__avro_name *taco__avro_schema_define_name(taco__avro *a, const taco__json *schema,
                                                        taco_bytes around)
{
    const taco__json *name = taco__json_get(schema, "name"),
                     *space = taco__json_get(schema, "namespace");
    taco_bytes       s, n;
    taco__avro_name *d;
    if (!taco__json_text(name)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a named type must have a name, found %s", taco__json_type_name(name));
        return NULL;
    }
    taco__avro_schema_split_name(taco__json_bytes(name),
                                 taco__json_text(space) ? taco__json_bytes(space) : around, &s, &n);
    d = taco__avro_schema_find_name(a, s, n);
    if (d && d->schema == schema) {
        return d; /* read again on behalf of a reference to the record around it */
    }
    if (a->name_count == TACO__AVRO_MAX_NAMES) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + schema->begin,
                   "more than %u named types", TACO__U(a->name_count));
        return NULL;
    }
    a->name_count++;
    d = (taco__avro_name *)taco__arena_alloc(a->arena, sizeof *d, a->err);
    if (d) {
        d->space = s;
        d->name = n;
        d->hash = taco__avro_schema_hash_name(n);
        d->schema = schema;
        d->next = a->names;
        a->names = d;
    }
    return d;
}
/* A type of values that are all width bytes long; 0 for the others. */
TACO__FN void taco__avro_schema_set_fixed_width(taco_field *f, taco_type type, int32_t width)
{
    f->type = type;
    f->width = width;
}
/* precision and scale of a decimal; false when they are out of range, and the logical type is then ignored, as the
   specification wants it of everything a reader does not understand ("Logical Types"). */
TACO__FN bool taco__avro_schema_decimal(const taco__json *schema, taco_field *f)
{
    const taco__json *node = taco__json_get(schema, "scale");
    int64_t           precision, scale = 0;
    if (!taco__json_int(taco__json_get(schema, "precision"), &precision) ||
        (node && !taco__json_int(node, &scale)) || precision < 1 || precision > 76 || scale < 0 ||
        scale > precision) {
        return false;
    }
    f->type = TACO_DECIMAL;
    f->width = 0; /* big-endian bytes of any length: what Avro stores */
    f->precision = (int32_t)precision;
    f->scale = (int32_t)scale;
    return true;
}
/* Logical types of integers. A timestamp is an instant, a local one is what a clock on the wall shows. On a primitive that
   it does not belong to a logical type means nothing. */
TACO__FN void taco__avro_schema_time(const taco__json *logical, taco__avro_kind kind, taco_field *f)
{
    static const struct {
        const char *name;
        uint8_t     kind, type, unit, utc;
    } known[] = {
        {"date", TACO__AVRO_INT, TACO_DATE, TACO_SECOND, 0},
        {"time-millis", TACO__AVRO_INT, TACO_TIME, TACO_MILLI, 0},
        {"time-micros", TACO__AVRO_LONG, TACO_TIME, TACO_MICRO, 0},
        {"timestamp-millis", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MILLI, 1},
        {"timestamp-micros", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MICRO, 1},
        {"timestamp-nanos", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_NANO, 1},
        {"local-timestamp-millis", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MILLI, 0},
        {"local-timestamp-micros", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MICRO, 0},
        {"local-timestamp-nanos", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_NANO, 0},
    };
    size_t i;
    for (i = 0; i < TACO__COUNT(known); i++) {
        if (known[i].kind == (uint8_t)kind && taco__json_equals(logical, known[i].name)) {
            f->type = (taco_type)known[i].type;
            f->unit = (taco_unit)known[i].unit;
            f->utc = known[i].utc != 0;
        }
    }
}
/* A primitive type by name; schema is NULL where it has no attributes. False when the name is of no primitive. */
TACO__FN bool taco__avro_schema_primitive(taco_bytes name, const taco__json *schema,
                                          taco__avro_node *n)
{
    static const struct {
        const char *name;
        uint8_t     kind, type, width;
    } known[] = {
        {"null", TACO__AVRO_NULL, TACO_NULL, 0},     {"boolean", TACO__AVRO_BOOLEAN, TACO_BOOL, 0},
        {"int", TACO__AVRO_INT, TACO_INT32, 4},      {"long", TACO__AVRO_LONG, TACO_INT64, 8},
        {"float", TACO__AVRO_FLOAT, TACO_FLOAT, 4},  {"double", TACO__AVRO_DOUBLE, TACO_DOUBLE, 8},
        {"bytes", TACO__AVRO_BYTES, TACO_BINARY, 0}, {"string", TACO__AVRO_STRING, TACO_TEXT, 0},
    };
    const taco__json *logical = taco__json_get(schema, "logicalType");
    size_t            i;
    for (i = 0; i < TACO__COUNT(known); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(known[i].name))) {
            n->kind = known[i].kind;
            taco__avro_schema_set_fixed_width(n->field, (taco_type)known[i].type, known[i].width);
            taco__avro_schema_time(logical, (taco__avro_kind)n->kind, n->field);
            if (n->kind == TACO__AVRO_BYTES && taco__json_equals(logical, "decimal")) {
                taco__avro_schema_decimal(schema, n->field);
            }
            n->empty = n->kind == TACO__AVRO_NULL;
            n->field->nullable = n->field->nullable || n->empty;
            return true;
        }
    }
    return false;
}
/* {"type": "fixed", "size": n}. */
TACO__FN bool taco__avro_schema_fixed(taco__avro *a, const taco__json *schema, taco__avro_node *n)
{
    const taco__json *logical = taco__json_get(schema, "logicalType"),
                     *node = taco__json_get(schema, "size");
    int64_t size;
    if (!taco__json_int(node, &size) || size < 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + (node ? node : schema)->begin,
                   "a fixed type must have a size, found %s", taco__json_type_name(node));
        return false;
    }
    if (size < 1 || size > INT32_MAX) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + node->begin,
                   "a fixed type of %u bytes, 1 to %u are read", TACO__U(size), TACO__U(INT32_MAX));
        return false;
    }
    n->kind = TACO__AVRO_FIXED;
    n->fixed = (int32_t)size;
    if (taco__json_equals(logical, "decimal") && taco__avro_schema_decimal(schema, n->field)) {
        return true;
    }
    taco__avro_schema_set_fixed_width(n->field, TACO_FIXED, n->fixed);
    if (size == 16 && taco__json_equals(logical, "uuid")) {
        n->field->type = TACO_UUID;
    } else if (size == 12 && taco__json_equals(logical, "duration")) {
        n->field->type = TACO_INTERVAL; /* the same three little-endian integers */
    }
    return true;
}
/* {"type": "enum", "symbols": [...]}: an index in the file, a text in the column. */
TACO__FN bool taco__avro_schema_enum(taco__avro *a, const taco__json *schema, taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "symbols"), *item;
    taco_bytes       *symbols;
    uint32_t          i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "an enum must have an array of symbols, found %s", taco__json_type_name(list));
        return false;
    }
    symbols = (taco_bytes *)taco__arena_array(a->arena, list->count, sizeof *symbols, a->err);
    if (!symbols) {
        return false;
    }
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        symbols[i] = taco__json_bytes(item);
    }
    n->kind = TACO__AVRO_ENUM;
    n->symbols = symbols;
    n->symbol_count = list->count;
    n->field->type = TACO_TEXT;
    return true;
}
/* Gives n count children with fields of their own. The only place where nodes come from: a named type is expanded
   wherever it is used, so a few lines of schema can ask for 2^60 of them, and the limit stands here. */
TACO__FN bool taco__avro_schema_add_children(taco__avro *a, taco__avro_node *n, uint32_t count)
{
    taco_field *fields;
    uint32_t    i;
    if (count > a->max_nodes - a->node_count) {
        TACO__FAIL(a->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a schema of more than %u fields, limits.max_columns is %u",
                   TACO__U(a->max_nodes), TACO__U(a->max_nodes));
        return false;
    }
    a->node_count += count;
    n->children =
        (taco__avro_node *)taco__arena_array(a->arena, count, sizeof *n->children, a->err);
    fields = n->children ? (taco_field *)taco__arena_array(a->arena, count, sizeof *fields, a->err)
                         : NULL;
    if (!fields) {
        return false;
    }
    for (i = 0; i < count; i++) {
        n->children[i].field = &fields[i];
        n->children[i].validity.mem = n->children[i].offsets.mem = n->children[i].values.mem =
            a->arena->mem;
    }
    n->child_count = count;
    n->field->children = fields;
    n->field->child_count = count;
    return true;
}
/* Names of columns: Avro wants no ':' in names, so some releases of the reference writer spelled it out. */
TACO__FN const char *taco__avro_schema_column_name(taco__avro *a, taco_bytes name)
{
    static const char colon[] = "_COLON_";
    char             *copy = taco__arena_text(a->arena, name, a->err), *from = copy, *to = copy;
    while (copy && *from) {
        bool found = strncmp(from, colon, sizeof colon - 1) == 0;
        *to++ = found ? ':' : *from;
        from += found ? sizeof colon - 1 : 1;
    }
    if (copy) {
        *to = 0;
    }
    return copy;
}
TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n);

/* {"type": "record", "fields": [{"name", "type"}...]}. Aliases and defaults are for readers with a schema of their own. */
TACO__FN bool taco__avro_schema_record(taco__avro *a, const taco__json *schema, taco_bytes space,
                                       uint32_t depth, taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "fields"), *item;
    uint32_t         *live;
    uint32_t          i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a record must have an array of fields, found %s", taco__json_type_name(list));
        return false;
    }
    n->kind = TACO__AVRO_RECORD;
    n->field->type = TACO_STRUCT;
    if (!taco__avro_schema_add_children(a, n, list->count)) {
        return false;
    }
    live = (uint32_t *)taco__arena_array(a->arena, list->count, sizeof *live, a->err);
    if (!live) {
        return false;
    }
    n->live = live;
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        const taco__json *name = taco__json_get(item, "name"), *type = taco__json_get(item, "type");
        taco__avro_node  *child = &n->children[i];
        taco_bytes        text = taco__json_bytes(name);
        if (!taco__json_text(name) || !type) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + item->begin,
                       "a field must have a name and a type, found %s and %s",
                       taco__json_type_name(name), taco__json_type_name(type));
            return false;
        }
        child->field->name = depth == 0 ? taco__avro_schema_column_name(a, text)
                                        : taco__arena_text(a->arena, text, a->err);
        if (!child->field->name) {
            return false;
        }
        if (!taco__avro_schema_any(a, type, space, depth + 1, child)) {
            taco__error_prefix(a->err, "field %q", &text);
            return false;
        }
        if (!child->empty) {
            live[n->live_count++] = i;
        }
    }
    n->empty = n->live_count == 0;
    return true;
}
/* A list has its items as only child; a map has a struct of key and value, and these as that struct's. */
TACO__FN bool taco__avro_schema_list_or_map(taco__avro *a, const taco__json *schema, bool is_map,
                                            taco_bytes space, uint32_t depth, taco__avro_node *n)
{
    const char       *key = is_map ? "values" : "items";
    const taco__json *of = taco__json_get(schema, key);
    taco__avro_node  *item;
    if (!of) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin, "%s must have %s",
                   is_map ? "a map" : "an array", key);
        return false;
    }
    n->kind = is_map ? TACO__AVRO_MAP : TACO__AVRO_ARRAY;
    n->field->type = is_map ? TACO_MAP : TACO_LIST;
    if (!taco__avro_schema_add_children(a, n, 1)) {
        return false;
    }
    item = n->children;
    item->field->name = is_map ? "entries" : "item";
    if (is_map) { /* keys are strings and never null */
        item->kind = TACO__AVRO_RECORD;
        item->field->type = TACO_STRUCT;
        if (!taco__avro_schema_add_children(a, item, 2)) {
            return false;
        }
        item->children[0].field->name = "key";
        item->children[0].field->leaf = a->leaf_count++;
        item->children[0].field->leaf_count = 1;
        taco__avro_schema_primitive(taco__bytes_text("string"), NULL, &item->children[0]);
        item->field->leaf = a->leaf_count - 1;
        item = &item->children[1];
        item->field->name = "value";
    }
    if (!taco__avro_schema_any(a, of, space, depth + 1, item)) {
        return false;
    }
    n->children->field->leaf_count = a->leaf_count - n->children->field->leaf;
    return true;
}
/* [null, T] in either order is a nullable T. Others have no column type of their own. */
TACO__FN bool taco__avro_schema_union(taco__avro *a, const taco__json *s, taco_bytes space,
                                      uint32_t depth, taco__avro_node *n)
{
    const taco__json *x = taco__json_at(s, 0), *y = taco__json_at(s, 1);
    bool              first = taco__json_equals(x, "null"), second = taco__json_equals(y, "null");
    n->branches = s->count;
    if (n->branches == 1) {
        n->null_branch = first ? 0 : UINT32_MAX; /* read as if it were one of two */
    } else if (n->branches == 2 && first != second) {
        n->null_branch = first ? 0 : 1;
        n->field->nullable = true;
        x = first ? y : x;
    } else {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + s->begin,
                   "a union of %u types, one type with or without null is read", TACO__U(s->count));
        return false;
    }
    if (taco__json_is(x, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + x->begin, "a union directly in a union");
        return false;
    }
    if (!taco__avro_schema_any(a, x, space, depth, n)) {
        return false;
    }
    n->empty = false; /* the branch takes a byte */
    return true;
}
/* A named type, defined here or before. While it is open it cannot be used: that would be a column without end. */
TACO__FN bool taco__avro_schema_named(taco__avro *a, taco__avro_name *d, uint32_t depth,
                                      taco__avro_node *n)
{
    const taco__json *type = taco__json_get(d->schema, "type");
    bool              ok;
    if (d->open) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "type %q contains itself", &d->name);
        return false;
    }
    if (d->schema->span > TACO__AVRO_MAX_EXPANDED -
                              a->expanded) { /* a definition is read again for each of its uses */
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "named types that expand to more than %u values of JSON",
                   TACO__U(TACO__AVRO_MAX_EXPANDED));
        return false;
    }
    a->expanded += d->schema->span;
    d->open = true;
    if (taco__json_equals(type, "fixed")) {
        ok = taco__avro_schema_fixed(a, d->schema, n);
    } else if (taco__json_equals(type, "enum")) {
        ok = taco__avro_schema_enum(a, d->schema, n);
    } else {
        ok = taco__avro_schema_record(a, d->schema, d->space, depth, n);
    }
    d->open = false;
    return ok;
}
/* The name of a type that was defined further up in the schema, in the space around or with its own. */
TACO__FN bool taco__avro_schema_reference(taco__avro *a, const taco__json *s, taco_bytes space,
                                          uint32_t depth, taco__avro_node *n)
{
    taco_bytes       full = taco__json_bytes(s), in, name;
    taco__avro_name *d;
    taco__avro_schema_split_name(full, space, &in, &name);
    d = taco__avro_schema_find_name(a, in, name);
    d = d ? d : taco__avro_schema_find_name(a, taco__bytes_of(NULL, 0), full);
    if (!d) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "type %q is neither primitive nor defined before", &full);
        return false;
    }
    return taco__avro_schema_named(a, d, depth, n);
}
/* A schema with attributes: a complex type, or a primitive one with or without a logical type. */
TACO__FN bool taco__avro_schema_object(taco__avro *a, const taco__json *s, taco_bytes space,
                                       uint32_t depth, taco__avro_node *n)
{
    const taco__json *type = taco__json_get(s, "type");
    taco__avro_name  *d;
    if (taco__json_is(type, TACO__JSON_OBJECT) || taco__json_is(type, TACO__JSON_ARRAY)) {
        return taco__avro_schema_any(a, type, space, depth, n); /* {"type": {"type": ...}} */
    }
    if (taco__json_equals(type, "record") || taco__json_equals(type, "error") ||
        taco__json_equals(type, "enum") || taco__json_equals(type, "fixed")) {
        d = taco__avro_schema_define_name(a, s, space);
        return d && taco__avro_schema_named(a, d, depth, n);
    }
    if (taco__json_equals(type, "array") || taco__json_equals(type, "map")) {
        return taco__avro_schema_list_or_map(a, s, taco__json_equals(type, "map"), space, depth, n);
    }
    if (!taco__json_text(type)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "a schema must have a type, found %s", taco__json_type_name(type));
        return false;
    }
    return taco__avro_schema_primitive(taco__json_bytes(type), s, n) ||
           taco__avro_schema_reference(a, type, space, depth, n);
}
/* Any schema. The caller has named the field; all else of n and of its field is set here. */
TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n)
{
    uint32_t leaf = a->leaf_count;
    bool     ok;
    if (depth > a->max_depth) {
        TACO__FAIL(a->err, TACO_ERR_LIMIT, a->base + s->begin,
                   "types nested deeper than %u, limits.max_depth is %u", TACO__U(a->max_depth),
                   TACO__U(a->max_depth));
        return false;
    }
    if (s->type == TACO__JSON_STRING) {
        ok = taco__avro_schema_primitive(taco__json_bytes(s), NULL, n) ||
             taco__avro_schema_reference(a, s, space, depth, n);
    } else if (s->type == TACO__JSON_ARRAY) {
        ok = taco__avro_schema_union(a, s, space, depth, n);
    } else if (s->type == TACO__JSON_OBJECT) {
        ok = taco__avro_schema_object(a, s, space, depth, n);
    } else {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "a schema must be a name, an object or a union, found %s",
                   taco__json_type_name(s));
        ok = false;
    }
    /* a union counts what it wraps, which has counted itself already */
    a->leaf_count += ok && !n->child_count && a->leaf_count == leaf;
    n->field->leaf = leaf;
    n->field->leaf_count = a->leaf_count - leaf;
    return ok;
}

/* ---- rows ---- */

/* int and long alike: zigzag in groups of seven bits ("Binary Encoding"). */
TACO__FN int64_t taco__avro_read_long(taco__byte_reader *c)
{
    return taco__zigzag_decode(taco__byte_reader_varint(c));
}
/* Rows are decoded within their block, so this is a lie of the block and not an end of the file. Always false. */
TACO__FN bool taco__avro_fail_short(taco__avro *a)
{
    TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
               "a value does not end before its block does, %u bytes are left in it",
               TACO__U(taco__byte_reader_left(&a->c)));
    return false;
}
/* Appends k bytes that are all zero. */
TACO__FN bool taco__avro_append_zeros(taco__buf *b, size_t k, taco_error *err)
{
    if (!taco__buf_reserve(b, k, err)) {
        return false;
    }
    memset(b->data + b->len, 0, k);
    b->len += k;
    return true;
}
/* Whether a column is laid out as offsets and what they point into. */
TACO__FN bool taco__avro_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || (f->type == TACO_DECIMAL && f->width == 0);
}
/* Appends k entries to n: null where it can be, else zero, empty or, for a struct, only counted. */
TACO__FN bool taco__avro_append_default(taco__avro *a, taco__avro_node *n, size_t k)
{
    size_t   bitmap, bytes, i;
    int32_t  last = 0;
    uint8_t *p;
    if (k > (size_t)INT32_MAX - TACO__MIN(n->length, (size_t)INT32_MAX)) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "more than %u values in a column", TACO__U(INT32_MAX));
        return false;
    }
    bitmap = TACO__BITMAP_BYTES(n->length + k); /* bits beyond length are always clear */
    if (n->field->nullable) {
        if (!taco__avro_append_zeros(&n->validity, bitmap - n->validity.len, a->err)) {
            return false;
        }
        n->null_count += k;
    }
    if (n->field->type == TACO_BOOL) {
        if (!taco__avro_append_zeros(&n->values, bitmap - n->values.len, a->err)) {
            return false;
        }
    } else if (n->field->width) {
        if (!taco__checked_mul_size(k, (size_t)n->field->width, &bytes) ||
            !taco__avro_append_zeros(&n->values, bytes, a->err)) {
            TACO__FAIL(a->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values",
                       TACO__U(k));
            return false;
        }
    } else if (taco__avro_has_offsets(n->field)) {
        if ((!n->offsets.len && !taco__avro_append_zeros(&n->offsets, 4, a->err)) ||
            !taco__checked_mul_size(k, 4, &bytes) ||
            !taco__buf_reserve(&n->offsets, bytes, a->err)) {
            return false;
        }
        p = n->offsets.data + n->offsets.len; /* each new entry ends where the last one does */
        memcpy(&last, p - 4, 4);
        for (i = 0; i < k; i++) {
            memcpy(p + 4 * i, &last, 4);
        }
        n->offsets.len += bytes;
    }
    n->length += k;
    return true;
}
/* Moves the end of the last entry on by len bytes or items. */
TACO__FN bool taco__avro_extend_last(taco__avro *a, taco__avro_node *n, uint64_t len)
{
    int32_t  last;
    uint8_t *p = n->offsets.data + n->offsets.len - 4;
    memcpy(&last, p, 4);
    if (len > (uint64_t)(INT32_MAX - last)) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "more than %u bytes or items in a column", TACO__U(INT32_MAX));
        return false;
    }
    last += (int32_t)len;
    memcpy(p, &last, 4);
    return true;
}
/* Makes the last entry, which grew empty, these bytes. */
TACO__FN bool taco__avro_set_last(taco__avro *a, taco__avro_node *n, const uint8_t *p, size_t len)
{
    return taco__avro_extend_last(a, n, len) && taco__buf_append(&n->values, p, len, a->err);
}
/* bytes and string: a length and as many bytes. Whether a string is UTF-8 is for whoever prints it. */
TACO__FN bool taco__avro_read_bytes(taco__avro *a, taco__avro_node *n)
{
    uint64_t       at = taco__avro_offset(a);
    int64_t        len = taco__avro_read_long(&a->c);
    const uint8_t *p;
    if (a->c.bad) {
        return taco__avro_fail_short(a);
    }
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(&a->c)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%s of %d bytes, %u are left in its block",
                   n->kind == TACO__AVRO_STRING ? "a string" : "a value", len,
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    p = taco__byte_reader_take(&a->c, (size_t)len);
    return taco__avro_set_last(a, n, p, (size_t)len);
}
/* int and long, into the last entry. */
TACO__FN bool taco__avro_read_integer(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t  x = taco__avro_read_long(&a->c);
    int32_t  narrow = (int32_t)x;
    if (a->c.bad) {
        return taco__avro_fail_short(a);
    }
    if (n->kind == TACO__AVRO_LONG) {
        memcpy(n->values.data + n->values.len - 8, &x, 8);
        return true;
    }
    if (x != narrow) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "an int of %d, it has 32 bits", x);
        return false;
    }
    memcpy(n->values.data + n->values.len - 4, &narrow, 4);
    return true;
}
/* An enum: the index of one of the symbols of the schema. */
TACO__FN bool taco__avro_read_symbol(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t  x = taco__avro_read_long(&a->c);
    if (a->c.bad) {
        return taco__avro_fail_short(a);
    }
    if (x < 0 || x >= (int64_t)n->symbol_count) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "symbol %d, the enum has %u", x,
                   TACO__U(n->symbol_count));
        return false;
    }
    return taco__avro_set_last(a, n, n->symbols[x].data, n->symbols[x].len);
}
/* What does not depend on other values: one byte, four, eight, or as many as the schema says. Little-endian in the file. */
TACO__FN bool taco__avro_read_plain(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    size_t   width = (size_t)n->field->width, len = n->kind == TACO__AVRO_FIXED ? (size_t)n->fixed
                                                    : width                     ? width
                                                                                : 1;
    const uint8_t *p = taco__byte_reader_take(&a->c, len);
    uint64_t       x8;
    uint32_t       x4;
    if (!p) {
        return taco__avro_fail_short(a);
    }
    switch (n->kind) {
    case TACO__AVRO_BOOLEAN:
        if (p[0] > 1) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a boolean of 0x%x, it is 0 or 1",
                       TACO__U(p[0]));
            return false;
        }
        if (p[0]) {
            taco__bitmap_set(n->values.data, n->length - 1);
        }
        return true;
    case TACO__AVRO_FLOAT:
        x4 = taco__load_le32(p);
        memcpy(n->values.data + n->values.len - 4, &x4, 4);
        return true;
    case TACO__AVRO_DOUBLE:
        x8 = taco__load_le64(p);
        memcpy(n->values.data + n->values.len - 8, &x8, 8);
        return true;
    default:
        if (!width) {
            return taco__avro_set_last(a, n, p, len); /* a decimal */
        }
        memcpy(n->values.data + n->values.len - width, p, len);
        return true;
    }
}
/* One count of an array, a map or the file's metadata. A negative one is followed by the bytes its items take ("Arrays").
   *end is where they must end, NULL when it was not said. */
TACO__FN bool taco__avro_read_count(taco__avro *a, uint64_t *count, const uint8_t **end)
{
    uint64_t at = taco__avro_offset(a);
    int64_t  n = taco__avro_read_long(&a->c), bytes = 0;
    *end = NULL;
    *count = (uint64_t)n;
    if (!a->c.bad && n < 0) {
        *count = 0 - (uint64_t)n;
        bytes = taco__avro_read_long(&a->c);
        if (!a->c.bad && (bytes < 0 || (uint64_t)bytes > taco__byte_reader_left(&a->c))) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items of %d bytes, %u are left", bytes,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        *end = a->c.bad ? NULL : a->c.at + bytes;
    }
    return !a->c.bad || taco__avro_fail_short(a);
}
/* Values that take no bytes could be claimed by the billion; a file gets as many as it has bytes. */
TACO__FN bool taco__avro_count_empty(taco__avro *a, uint64_t count)
{
    if (count > a->empty_left) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "%u values of no bytes, more than the file has bytes", count);
        return false;
    }
    a->empty_left -= count;
    return true;
}
TACO__FN bool taco__avro_read_value(taco__avro *a, taco__avro_node *n);

/* One item of an array, or key and value of a map. Structs of a map are never null, so its children are never behind. */
TACO__FN bool taco__avro_read_item(taco__avro *a, taco__avro_node *list)
{
    taco__avro_node *item = list->children;
    if (list->kind == TACO__AVRO_ARRAY) {
        return taco__avro_read_value(a, item);
    }
    item->length++;
    return taco__avro_read_value(a, &item->children[0]) &&
           (item->children[1].empty || taco__avro_read_value(a, &item->children[1]));
}
/* Blocks of items until one is empty ("Arrays", "Maps"). */
TACO__FN bool taco__avro_read_items(taco__avro *a, taco__avro_node *n)
{
    for (;;) {
        uint64_t       count, i, at = taco__avro_offset(a);
        const uint8_t *end;
        if (!taco__avro_read_count(a, &count, &end)) {
            return false;
        }
        if (!count) {
            return true;
        }
        if (n->children->empty) {
            if (!taco__avro_count_empty(a, count)) {
                return false;
            }
        } else if (count > taco__byte_reader_left(&a->c)) { /* no item is shorter than a byte */
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%u items in %u bytes", count,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        if (!taco__avro_extend_last(a, n, count)) {
            return false;
        }
        for (i = 0; !n->children->empty && i < count; i++) {
            if (!taco__avro_read_item(a, n)) {
                return false;
            }
        }
        if (end && a->c.at != end) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items that end %s the bytes they claim",
                       a->c.at < end ? "before" : "behind");
            return false;
        }
    }
}
/* Fields of a record. After null records its children are behind and catch up first. */
TACO__FN bool taco__avro_read_fields(taco__avro *a, taco__avro_node *n, size_t row)
{
    uint32_t i;
    for (i = 0; i < n->live_count; i++) {
        taco__avro_node *child = &n->children[n->live[i]];
        if ((child->length < row && !taco__avro_append_default(a, child, row - child->length)) ||
            !taco__avro_read_value(a, child)) {
            return false;
        }
    }
    return true;
}
/* One value of any node that is not empty: the branch of its union, then itself. Recursion ends with the schema, whose
   depth is limited. */
TACO__FN bool taco__avro_read_value(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    if (n->branches) {
        int64_t branch = taco__avro_read_long(&a->c);
        if (a->c.bad) {
            return taco__avro_fail_short(a);
        }
        if (branch < 0 || branch >= (int64_t)n->branches) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "branch %d of a union of %u", branch,
                       TACO__U(n->branches));
            return false;
        }
        if (branch == (int64_t)n->null_branch) {
            return taco__avro_append_default(a, n, 1);
        }
    }
    /* the new entry is null and zero; below it becomes what it is */
    if (!taco__avro_append_default(a, n, 1)) {
        return false;
    }
    if (n->field->nullable && n->kind != TACO__AVRO_NULL) {
        taco__bitmap_set(n->validity.data, n->length - 1);
        n->null_count--;
    }
    switch (n->kind) {
    case TACO__AVRO_NULL: return true;
    case TACO__AVRO_INT:
    case TACO__AVRO_LONG: return taco__avro_read_integer(a, n);
    case TACO__AVRO_BYTES:
    case TACO__AVRO_STRING: return taco__avro_read_bytes(a, n);
    case TACO__AVRO_ENUM: return taco__avro_read_symbol(a, n);
    case TACO__AVRO_ARRAY:
    case TACO__AVRO_MAP: return taco__avro_read_items(a, n);
    case TACO__AVRO_RECORD: return taco__avro_read_fields(a, n, n->length - 1);
    default: return taco__avro_read_plain(a, n);
    }
}

/* ---- columns ---- */

/* Frees all buffers below n. Those that were kept are free already. */
TACO__FN void taco__avro_node_free(taco__avro_node *n)
{
    uint32_t i;
    taco__buf_free(&n->validity);
    taco__buf_free(&n->offsets);
    taco__buf_free(&n->values);
    for (i = 0; i < n->child_count; i++) {
        taco__avro_node_free(&n->children[i]);
    }
}
/* Moves a buffer to the arena, at its exact size. */
TACO__FN bool taco__avro_buffer_to_arena(taco__avro *a, taco__buf *b, const void **out)
{
    void *p = taco__arena_alloc(a->arena, b->len, a->err);
    if (!p) {
        return false;
    }
    if (b->len) {
        memcpy(p, b->data, b->len);
    }
    taco__buf_free(b);
    *out = p;
    return true;
}
/* Brings n to length entries, and makes it an array. A struct's children are as long as it is, those of a list or map as
   its last offset says. */
TACO__FN bool taco__avro_make_array(taco__avro *a, taco__avro_node *n, size_t length,
                                    taco_array *out)
{
    const void *p;
    taco_array *children;
    size_t      inner = length;
    uint32_t    i;
    if (n->empty) {
        n->length = length;
        n->null_count = n->kind == TACO__AVRO_NULL ? length : 0;
    } else if (n->length < length && !taco__avro_append_default(a, n, length - n->length)) {
        return false;
    }
    out->field = n->field;
    out->length = length;
    out->null_count = n->null_count;
    if (n->null_count && n->field->type != TACO_NULL) {
        if (!taco__avro_buffer_to_arena(a, &n->validity, &p)) {
            return false;
        }
        out->validity = (const uint8_t *)p;
    }
    if (taco__avro_has_offsets(n->field)) {
        if ((!n->offsets.len && !taco__avro_append_zeros(&n->offsets, 4, a->err)) ||
            !taco__avro_buffer_to_arena(a, &n->offsets, &p)) {
            return false;
        }
        out->offsets = (const int32_t *)p;
        inner = (size_t)out->offsets[length];
    }
    if (n->kind < TACO__AVRO_ARRAY && n->kind != TACO__AVRO_NULL &&
        !taco__avro_buffer_to_arena(a, &n->values, &out->v.any)) {
        return false;
    }
    children = (taco_array *)taco__arena_array(a->arena, n->child_count, sizeof *children, a->err);
    if (!children) {
        return false;
    }
    out->children = n->child_count ? children : NULL;
    for (i = 0; i < n->child_count; i++) {
        if (!taco__avro_make_array(a, &n->children[i], inner, &children[i])) {
            return false;
        }
    }
    taco__buf_free(&n->validity); /* nothing was null */
    return true;
}

/* ---- the file ---- */

/* The header: slices of the file, and the marker. */
typedef struct taco__avro_file_header {
    taco_bytes schema, codec;
    uint64_t   schema_at;
    uint8_t    sync[16];
} taco__avro_file_header;

/* A length and as many bytes; the cursor is bad when they are not there. */
TACO__FN taco_bytes taco__avro_read_slice(taco__byte_reader *c)
{
    int64_t        len = taco__avro_read_long(c);
    const uint8_t *p;
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(c)) {
        c->bad = true;
        return taco__bytes_of(NULL, 0);
    }
    p = taco__byte_reader_take(c, (size_t)len);
    return taco__bytes_of(p, p ? (size_t)len : 0);
}
/* "Obj", 1, a map of metadata, 16 bytes that end every block ("Object Container Files"). */
TACO__FN bool taco__avro_read_header(taco__avro *a, taco__avro_file_header *h)
{
    const uint8_t *p = taco__byte_reader_take(&a->c, 4), *end;
    uint64_t       count = 1;
    if (!p || memcmp(p, "Obj\x01", 4) != 0) {
        taco_bytes found =
            taco__bytes_of(a->c.begin, TACO__MIN((size_t)(a->c.end - a->c.begin), (size_t)4));
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, 0, "an Avro file must begin with 'Obj\\x01', found %q",
                   &found);
        return false;
    }
    h->codec = taco__bytes_text("null"); /* unless another one is named */
    while (count) {
        int64_t n = taco__avro_read_long(&a->c);
        count = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
        if (n < 0) {
            (void)taco__avro_read_long(&a->c); /* their size, which only helps to skip them */
        }
        for (; count && !a->c.bad; count--) {
            taco_bytes key = taco__avro_read_slice(&a->c), value = taco__avro_read_slice(&a->c);
            if (taco__bytes_equal(key, taco__bytes_text("avro.schema"))) {
                h->schema = value;
                h->schema_at = taco__byte_reader_position(&a->c) - value.len;
            } else if (taco__bytes_equal(key, taco__bytes_text("avro.codec"))) {
                h->codec = value;
            }
        }
        count = !a->c.bad && n != 0;
    }
    end = taco__byte_reader_take(&a->c, sizeof h->sync);
    if (!end) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&a->c),
                   "the header does not end in the %u bytes of the file",
                   TACO__U(a->c.end - a->c.begin));
        return false;
    }
    memcpy(h->sync, end, sizeof h->sync);
    return true;
}
/* The schema's text stands in the file as it is, so errors in it have places in the file. */
TACO__FN bool taco__avro_parse_schema(taco__avro *a, const taco__avro_file_header *h,
                                      const taco_limits *limits, taco__avro_node *root)
{
    taco__json_doc doc;
    taco_bytes     none = taco__bytes_of(NULL, 0);
    bool           ok;
    if (!h->schema.data) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, 0, "the header has no avro.schema");
        return false;
    }
    a->base = h->schema_at;
    ok = taco__json_parse_at(a->arena, h->schema, h->schema_at, limits, &doc, a->err) == TACO_OK;
    if (ok && !taco__json_equals(taco__json_get(doc.root, "type"), "record")) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, h->schema_at, "rows must be records");
        ok = false;
    }
    ok = ok && taco__avro_schema_any(a, doc.root, none, 0, root);
    if (!ok) {
        taco__error_prefix(a->err, "avro.schema");
    }
    a->base = 0;
    return ok;
}
/* All rows of a block, which must fill it. The root record itself is no column: its children are. */
TACO__FN bool taco__avro_read_rows(taco__avro *a, taco__avro_node *root, uint64_t rows)
{
    uint64_t i;
    uint32_t k;
    for (i = 0; i < rows; i++) {
        for (k = 0; k < root->live_count; k++) {
            taco__avro_node *column = &root->children[root->live[k]];
            if (!taco__avro_read_value(a, column)) {
                taco__error_prefix(a->err, "row %u, column '%s'", TACO__U(root->length),
                                   column->field->name);
                return false;
            }
        }
        root->length++;
    }
    if (taco__byte_reader_left(&a->c)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
                   "%u bytes are left in a block behind its last row",
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    return true;
}
/* Unpacks a block. All blocks together may not be larger than a file without compression may be; room is what is left. */
TACO__FN bool taco__avro_unpack_block(taco__avro *a, taco__buf *out, taco_bytes data,
                                      uint64_t *room, uint64_t max)
{
    if (taco__inflate(data, out, (size_t)TACO__MIN(*room, (uint64_t)SIZE_MAX / 4), a->err) !=
        TACO_OK) {
        if (a->err->code ==
            TACO_ERR_LIMIT) { /* the room is what earlier blocks left of another limit than its own */
            memset(a->err, 0, sizeof *a->err);
            TACO__FAIL(a->err, TACO_ERR_LIMIT, a->base,
                       "blocks of more than %u bytes unpacked, limits.max_metadata is %u", max,
                       max);
        } else {
            taco__error_prefix(a->err, "deflate block at byte %u", a->base);
        }
        return false;
    }
    *room -= out->len;
    return true;
}
/* The rows of one block; the cursor of a stands behind it afterwards. */
TACO__FN bool taco__avro_read_block(taco__avro *a, taco__avro_node *root, taco_bytes data,
                                    uint64_t rows, uint64_t at)
{
    taco__byte_reader file = a->c;
    uint64_t          base = a->base;
    bool              ok;
    if (!root->empty && rows > data.len) { /* no row is shorter than a byte */
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a block claims %u rows in %u bytes", rows,
                   TACO__U(data.len));
        return false;
    }
    a->c = taco__byte_reader_init(data);
    a->base = at;
    if (root->empty) {
        ok = taco__avro_count_empty(a, rows);
        root->length += ok ? (size_t)rows : 0;
        ok = ok && taco__avro_read_rows(a, root, 0);
    } else {
        ok = taco__avro_read_rows(a, root, rows);
    }
    a->c = file;
    a->base = base;
    return ok;
}
/* Blocks to the end of the file: the number of rows, of bytes, these bytes, the sync marker. The marker is looked at
   first: a length that is wrong shows there, before its bytes are taken for rows. */
TACO__FN bool taco__avro_read_blocks(taco__avro *a, const taco__avro_file_header *h,
                                     taco__avro_node *root, uint64_t max)
{
    bool      deflate = taco__bytes_equal(h->codec, taco__bytes_text("deflate")), ok = true;
    uint64_t  room = max;
    taco__buf plain;
    if (!deflate && h->codec.len && !taco__bytes_equal(h->codec, taco__bytes_text("null"))) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "avro.codec %q, null and deflate are read", &h->codec);
        return false;
    }
    memset(&plain, 0, sizeof plain);
    plain.mem = a->arena->mem;
    while (ok && taco__byte_reader_left(&a->c)) {
        uint64_t   at = taco__byte_reader_position(&a->c), left;
        int64_t    rows = taco__avro_read_long(&a->c), bytes = taco__avro_read_long(&a->c);
        taco_bytes data;
        left = taco__byte_reader_left(&a->c);
        if (a->c.bad) {
            TACO__FAIL(a->err, TACO_ERR_TRUNCATED, at,
                       "a block begins in the last %u bytes of the file",
                       TACO__U(a->c.end - a->c.begin) - at);
            ok = false;
        } else if (rows < 0 || bytes < 0) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a block of %d rows and %d bytes", rows,
                       bytes);
            ok = false;
        } else if (left < 16 || (uint64_t)bytes > left - 16) {
            TACO__FAIL(a->err, TACO_ERR_TRUNCATED, at,
                       "a block of %d bytes and 16 of its sync marker, %u are left", bytes, left);
            ok = false;
        } else if (memcmp(a->c.at + bytes, h->sync, 16) != 0) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT,
                       taco__byte_reader_position(&a->c) + (uint64_t)bytes,
                       "the sync marker behind the block at byte %u is not that of the header", at);
            ok = false;
        } else {
            uint64_t from = taco__byte_reader_position(&a->c);
            data = taco__bytes_of(taco__byte_reader_take(&a->c, (size_t)bytes), (size_t)bytes);
            if (deflate) {
                plain.len = 0;
                a->base = from;
                ok = taco__avro_unpack_block(a, &plain, data, &room, max);
                data = taco__bytes_of(plain.data, plain.len);
                a->packed = true;
            }
            ok = ok && taco__avro_read_block(a, root, data, (uint64_t)rows, from);
            a->base = 0;
            a->packed = false;
            (void)taco__byte_reader_take(&a->c, 16);
        }
    }
    taco__buf_free(&plain);
    return ok;
}
/* The columns of what has been decoded. */
TACO__FN bool taco__avro_make_columns(taco__avro *a, taco__avro_node *root, taco__avro_table *out)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(a->arena, root->child_count, sizeof *columns, a->err);
    uint32_t i;
    for (i = 0; columns && i < root->child_count; i++) {
        if (!taco__avro_make_array(a, &root->children[i], root->length, &columns[i])) {
            return false;
        }
    }
    out->fields = root->field->children;
    out->field_count = root->child_count;
    out->columns = columns;
    out->rows = root->length;
    return columns != NULL;
}
/* Reads a whole object container file. The table lives in the arena and borrows nothing of the file. limits may be NULL. */
TACO__FN taco_status taco__avro_read(taco__arena *arena, taco_bytes file, const taco_limits *limits,
                                     taco__avro_table *out, taco_error *err)
{
    uint64_t   max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco_field row;
    taco__avro a;
    taco__avro_file_header head;
    taco__avro_node        root;
    bool                   ok;
    memset(&local, 0, sizeof local);
    memset(&row, 0, sizeof row);
    memset(&a, 0, sizeof a);
    memset(&head, 0, sizeof head);
    memset(&root, 0, sizeof root);
    memset(out, 0, sizeof *out);
    err = err ? err : &local;
    if (file.len > max) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "%u bytes of Avro, limits.max_metadata is %u", TACO__U(file.len), max);
    }
    file.data = file.data ? file.data : (const uint8_t *)"";
    a.arena = arena;
    a.c = taco__byte_reader_init(file);
    a.empty_left = file.len;
    a.max_nodes = limits && limits->max_columns ? limits->max_columns : 65536;
    a.max_depth = limits && limits->max_depth ? limits->max_depth : TACO__JSON_MAX_DEPTH;
    a.err = err;
    root.field = &row;
    ok = taco__avro_read_header(&a, &head) && taco__avro_parse_schema(&a, &head, limits, &root) &&
         taco__avro_read_blocks(&a, &head, &root, max) && taco__avro_make_columns(&a, &root, out);
    taco__avro_node_free(&root);
    if (!ok) {
        memset(out, 0, sizeof *out);
    }
    return ok ? TACO_OK : err->code;
}
