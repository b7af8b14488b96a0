/* Arrow streams of a hostile producer: the input decides formats, counts, offsets, indices, views
   and null pointers. Buffers are as long as the format requires, which a consumer cannot check.
   They become batches and a Parquet file, or are refused with a message, and every structure is
   released once. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"

#include "holds.h"

#define NODES 12
#define BYTES 4096 /* of each buffer: 60 rows of 64 bytes */
#define ROWS  60

typedef struct node {
    struct ArrowSchema schema, *schemas[4];
    struct ArrowArray array, *arrays[4];
    const void *buffers[6];
    char format[24];
    char name[8];
} node;

static node nodes[NODES];
static _Alignas(16) uint8_t pool[NODES][5][BYTES];
static size_t used, batches;
static int schemas_out, arrays_out, streams_out;
static const uint8_t *in;
static size_t left;

static unsigned next(unsigned n)
{
    unsigned x = 0;
    if (left) {
        x = *in++;
        left--;
    }
    return n ? x % n : x;
}

static void drop_schema(struct ArrowSchema *s)
{
    schemas_out--;
    s->release = NULL;
}

static void drop_array(struct ArrowArray *a)
{
    arrays_out--;
    a->release = NULL;
}

static void put(uint8_t *to, size_t at, uint64_t x, unsigned bytes)
{
    for (at *= bytes; bytes && at < BYTES; bytes--, x >>= 8) {
        to[at++] = (uint8_t)x;
    }
}

/* Offsets into BYTES bytes, or into the rows of a child: ascending but for one in 30. */
static void offsets(uint8_t *to, unsigned width, unsigned most)
{
    uint64_t x = next(4) ? 0 : next(5);
    unsigned i, steps = next(6);
    for (i = 0; i <= ROWS + 1; i++) {
        put(to, i, x, width);
        if (next(30) == 29) {
            put(to, i, (uint64_t)0 - next(3), width);
        } else if (x + steps <= most) {
            x += next(steps + 1);
        }
    }
}

static void views(uint8_t *to)
{
    unsigned i;
    for (i = 0; i < BYTES / 16; i++) {
        uint8_t *v = to + 16 * i;
        put(v, 0, next(3) ? next(13) : next(0), 4);
        memset(v + 4, (int)('a' + next(26)), 12);
        if (v[0] > 12) {
            put(v + 8, 0, next(4), 4);
            put(v + 12, 0, (uint64_t)next(0) * (next(8) ? 1 : 64), 4);
        }
    }
}

static struct ArrowSchema *grow(unsigned depth, struct ArrowArray **array);

/* Children: as many as the format wants, in most. */
static void children(node *n, unsigned wants, unsigned depth)
{
    unsigned i, have = next(12) ? wants : next(5);
    for (i = 0; i < have && i < 4 && used < NODES; i++) {
        n->schemas[i] = grow(depth + 1, &n->arrays[i]);
    }
    n->schema.n_children = n->array.n_children = i;
    if (next(40) == 39) { n->array.n_children = (int64_t)next(5) - 1; }
    if (next(40) == 39) { n->arrays[next(4)] = NULL; }
}

static void values(node *n, size_t at, const char *format)
{
    unsigned i, k, wide = format[0] == 'U' || format[0] == 'Z' || strcmp(format, "+L") == 0 ? 8 : 4;
    bool list = format[0] == '+' && (format[1] == 'l' || format[1] == 'L' || format[1] == 'm');
    for (k = 0; k < 5; k++) {
        for (i = 0; i < 64; i++) {
            pool[at][k][i] = (uint8_t)next(0);
        }
        memset(pool[at][k] + 64, pool[at][k][0], BYTES - 64);
        n->buffers[k] = next(4) || k ? pool[at][k] : NULL;
    }
    n->array.n_buffers = format[0] == 'n'                                ? 0
                         : format[0] == '+' && format[1] != 'l' && !list ? 1
                         : strchr("uUzZ", format[0])                     ? 3
                         : format[0] == 'v'                              ? 4
                                                                         : 2;
    if (list || strchr("uUzZ", format[0])) { offsets(pool[at][1], wide, list ? ROWS : 1000); }
    if (strchr("uU", format[0])) { memset(pool[at][2], (int)('a' + next(26)), BYTES); }
    if (format[0] == 'v') {
        views(pool[at][1]);
        for (i = 0; i < 4; i++) { /* how long the buffers are; the last but one of them */
            put(pool[at][3], i, next(0), 8);
        }
    }
    if (next(40) == 39) { n->array.n_buffers = next(6); }
    if (next(60) == 59) { n->buffers[1] = NULL; }
}

static struct ArrowSchema *grow(unsigned depth, struct ArrowArray **array)
{
    static const char *const formats[] = {"n",
                                          "b",
                                          "c",
                                          "C",
                                          "s",
                                          "S",
                                          "i",
                                          "I",
                                          "l",
                                          "L",
                                          "e",
                                          "f",
                                          "g",
                                          "u",
                                          "U",
                                          "z",
                                          "Z",
                                          "vu",
                                          "vz",
                                          "w:16",
                                          "w:5",
                                          "w:0",
                                          "d:9,2",
                                          "d:38,10",
                                          "d:9,2,32",
                                          "d:18,3,64",
                                          "d:60,3,256",
                                          "tdD",
                                          "tdm",
                                          "tts",
                                          "ttm",
                                          "ttu",
                                          "ttn",
                                          "tss:",
                                          "tsm:",
                                          "tsu:UTC",
                                          "tsn:Europe/Berlin",
                                          "tDs",
                                          "tDm",
                                          "tDu",
                                          "tDn",
                                          "tiM",
                                          "tiD",
                                          "tin",
                                          "+l",
                                          "+L",
                                          "+w:3",
                                          "+s",
                                          "+m",
                                          "+ud:0,1",
                                          "+vl",
                                          "+r"};
    size_t at = used++;
    node *n = &nodes[at];
    unsigned i;
    memset(n, 0, sizeof *n);
    strcpy(n->format, formats[next(sizeof formats / sizeof *formats)]);
    if (depth > 3 && n->format[0] == '+') { strcpy(n->format, "i"); }
    if (next(20) == 19) {
        for (i = 0; i < 1 + next(12); i++) {
            n->format[i] = (char)(32 + next(95));
            n->format[i + 1] = 0;
        }
    }
    sprintf(n->name, "c%u", (unsigned)at);
    n->schema.format = n->format;
    n->schema.name = next(30) ? n->name : NULL;
    n->schema.flags = next(3) ? ARROW_FLAG_NULLABLE : next(8);
    n->schema.children = n->schemas;
    n->schema.release = drop_schema;
    n->array.children = n->arrays;
    n->array.buffers = n->buffers;
    n->array.release = drop_array;
    n->array.offset = next(4) ? 0 : next(20);
    n->array.length = ROWS - n->array.offset - (next(3) ? 0 : next(ROWS));
    n->array.null_count = next(3) ? -1 : next(4);
    if (next(60) == 59) { n->array.length = -1; }
    if (next(60) == 59) { n->array.offset = next(2) ? -1 : INT64_MAX; }
    if (next(60) == 59) { n->schema.format = NULL; }
    values(n, at, n->format);
    if (n->format[0] == '+') {
        children(n, n->format[1] == 's' ? 1 + next(3) : 1, depth);
        if (n->format[1] == 'm' && n->schema.n_children && next(8)) { /* entries of two */
            strcpy(nodes[at + 1].format, "+s");
            nodes[at + 1].array.n_buffers = 1;
            children(&nodes[at + 1], 2, depth + 1);
        }
    }
    if (strchr("cCsSiIlL", n->format[0]) && next(4) == 3 && used < NODES) {
        n->schema.dictionary = grow(depth + 1, &n->array.dictionary);
    }
    *array = &n->array;
    return &n->schema;
}

static int give_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    (void)s;
    if (next(60) == 59) { return 22; }
    *out = nodes[0].schema;
    schemas_out++;
    return 0;
}

static int give_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    (void)s;
    memset(out, 0, sizeof *out);
    if (!batches) { return 0; }
    batches--;
    if (next(60) == 59) { return 5; }
    *out = nodes[0].array;
    arrays_out++;
    return 0;
}

static const char *give_error(struct ArrowArrayStream *s)
{
    (void)s;
    return next(2) ? "no luck" : NULL;
}

static void drop_stream(struct ArrowArrayStream *s)
{
    streams_out--;
    s->release = NULL;
}

static struct ArrowArrayStream stream(void)
{
    struct ArrowArrayStream s;
    memset(&s, 0, sizeof s);
    s.get_schema = give_schema;
    s.get_next = give_next;
    s.get_last_error = give_error;
    s.release = drop_stream;
    streams_out++;
    batches = 1 + next(3);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ArrowArrayStream s;
    struct ArrowArray *array;
    taco_options opt;
    taco_error err;
    taco_import *import;
    taco_printer *p;
    taco_batch b;
    taco_sink sink;
    const taco_field *fields;
    size_t n = 0;
    in = data;
    left = size;
    used = 0;
    schemas_out = arrays_out = streams_out = 0;
    memset(&err, 0, sizeof err);
    memset(&opt, 0, sizeof opt);
    opt.limits.max_memory = (uint64_t)64 << 20;
    grow(0, &array);
    if (next(16)) { /* a table, in most */
        strcpy(nodes[0].format, "+s");
        nodes[0].schema.format = nodes[0].format;
        nodes[0].array.n_buffers = 1;
        nodes[0].schema.dictionary = NULL;
        nodes[0].array.dictionary = NULL;
        children(&nodes[0], 1 + next(4), 0);
    }
    s = stream();
    import = taco_import_open(&s, &opt, &err);
    HOLDS((import != NULL) == (err.code == TACO_OK) && !s.release && (import || err.text[0]));
    fields = taco_import_fields(import, &n);
    p = import ? taco_printer_open(fields, n, TACO_FORMAT_NDJSON, &opt, &err) : NULL;
    while (p && taco_import_next(import, &b)) {
        HOLDS(b.length <= 65536 && b.column_count == n);
        if (!taco_printer_batch(p, &b, &err).data) { break; }
    }
    taco_printer_close(p);
    taco_import_close(import, &err);
    HOLDS(!schemas_out && !arrays_out && !streams_out);
    memset(&err, 0, sizeof err);
    HOLDS(taco_sink_memory(&sink, &opt, &err) == TACO_OK);
    s = stream();
    HOLDS(taco_pq_write_stream(&sink, &s, NULL, &err) == err.code);
    if (err.code == TACO_OK) {
        taco_bytes file = taco_sink_bytes(&sink);
        taco_source src;
        taco_pq_file *again;
        taco_source_memory(&src, file.data, file.len);
        again = taco_pq_open_source(&src, "x", &opt, &err);
        HOLDS(again && taco_pq_verify(again, NULL, NULL, NULL, &err) == TACO_OK);
        taco_pq_close(again);
    }
    taco_sink_free(&sink);
    HOLDS(!schemas_out && !arrays_out && !streams_out);
    return 0;
}
