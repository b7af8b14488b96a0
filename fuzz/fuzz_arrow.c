/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_arrow
   fuzz_arrow.c

   Whole files: any bytes as a Parquet file in memory, its rows as an Arrow stream, released in
   every order. The output is valid by the specification down to the last offset, and every byte of
   it is readable; the same batches are written as IPC messages. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"

#include "holds.h"
#include "mutator.h"

static volatile uint8_t sink;

static void touch(const void *p, size_t n)
{
    const uint8_t *b = (const uint8_t *)p;
    size_t i;
    uint8_t x = 0;
    for (i = 0; i < n; i++) {
        x ^= b[i];
    }
    sink = x;
}

/* Offsets that ascend from zero; returns the last. */
static size_t offsets_end(const struct ArrowArray *a)
{
    const int32_t *o = (const int32_t *)a->buffers[1];
    int64_t i;
    HOLDS(o && o[0] == 0);
    for (i = 0; i < a->length; i++) {
        HOLDS(o[i + 1] >= o[i]);
    }
    return (size_t)o[a->length];
}

static size_t fixed_width(const char *format)
{
    static const char one[] = "cCsSeiIfgLltd";
    static const char width[] = "1122244488000";
    const char *p = strchr(one, format[0]);
    if (format[0] == 'w') { return (size_t)strtoul(format + 2, NULL, 10); }
    if (format[0] == 'd') {
        size_t n = strlen(format);
        return n > 4 && strcmp(format + n - 4, ",256") == 0 ? 32 : 16;
    }
    if (format[0] == 't') {
        return strcmp(format, "tdD") == 0 || strcmp(format, "ttm") == 0 ? 4 : 8;
    }
    HOLDS(p);
    return format[0] == 'g' ? 8 : (size_t)(width[p - one] - '0');
}

/* parent: of a field of a struct, whose null rows may be null below in any case. */
static void valid(const struct ArrowSchema *s, const struct ArrowArray *a,
                  const struct ArrowArray *parent)
{
    size_t n = (size_t)a->length, nulls = 0, end, i;
    int64_t k;
    HOLDS(a->release && s->release && a->offset == 0 && a->n_children == s->n_children);
    HOLDS(taco__utf8_valid(taco__bytes_text(s->name)));
    if (s->format[0] == 'n') {
        HOLDS(a->n_buffers == 0 && a->null_count == a->length);
        return;
    }
    HOLDS(a->null_count == 0 || a->buffers[0]);
    for (i = 0; a->buffers[0] && i < n; i++) {
        if (!taco__bitmap_get((const uint8_t *)a->buffers[0], i)) {
            nulls++;
            HOLDS((s->flags & ARROW_FLAG_NULLABLE) ||
                  (parent && parent->buffers[0] &&
                   !taco__bitmap_get((const uint8_t *)parent->buffers[0], i)));
        }
    }
    HOLDS((size_t)a->null_count == nulls);
    switch (s->format[0]) {
    case '+':
        HOLDS(a->n_buffers == (s->format[1] == 's' ? 1 : 2));
        end = s->format[1] == 's' ? n : offsets_end(a);
        HOLDS(s->format[1] == 's' || a->n_children == 1);
        HOLDS(s->format[1] != 'm' ||
              (s->children[0]->n_children == 2 && s->children[0]->flags == 0));
        for (k = 0; k < a->n_children; k++) {
            HOLDS((size_t)a->children[k]->length == end);
            valid(s->children[k], a->children[k], s->format[1] == 's' ? a : NULL);
        }
        break;
    case 'u':
    case 'z':
        HOLDS(a->n_buffers == 3 && a->buffers[2]);
        end = offsets_end(a);
        touch(a->buffers[2], end);
        for (i = 0; s->format[0] == 'u' && i < n; i++) {
            const int32_t *o = (const int32_t *)a->buffers[1] + i;
            HOLDS(taco__utf8_valid(
                taco__bytes_of((const uint8_t *)a->buffers[2] + o[0], (size_t)(o[1] - o[0]))));
        }
        break;
    case 'b':
        HOLDS(a->n_buffers == 2 && a->buffers[1]);
        touch(a->buffers[1], (n + 7) / 8);
        break;
    default:
        HOLDS(a->n_buffers == 2 && a->buffers[1]);
        touch(a->buffers[1], n * fixed_width(s->format));
        break;
    }
}

static void release(struct ArrowArray *a)
{
    if (a->release) {
        a->release(a);
        HOLDS(!a->release);
    }
}

/* Bytes that the file holds, but for its decoder, which the first page that needs it makes. */
static uint64_t held(const taco_pq_file *file)
{
    return file->mem->used - (file->codecs ? file->codecs->zstd_size : 0);
}

static void export_rows(taco_pq_file *file, const taco_pq_query *q, unsigned order)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray a, kept, child;
    taco_error err;
    int i, code = 0;
    uint64_t used;
    memset(&err, 0, sizeof err);
    memset(&kept, 0, sizeof kept);
    memset(&child, 0, sizeof child);
    taco__pq_file_codecs(file, &err);
    used = held(file);
    {
        taco_pq_reader *rows = taco_pq_read(file, q, &err);
        if (taco_pq_reader_export(rows, false, &stream, &err) != TACO_OK) {
            HOLDS(err.code != TACO_OK && !stream.release && held(file) == used);
            return;
        }
    }
    if (stream.get_schema(&stream, &schema) != 0) {
        HOLDS(stream.get_last_error(&stream)[0] && !schema.release);
        stream.release(&stream);
        return;
    }
    for (i = 0; i < 100; i++) {
        code = stream.get_next(&stream, &a);
        HOLDS((code != 0) == (stream.get_last_error(&stream) != NULL));
        if (code || !a.release) {
            HOLDS(!a.release);
            break;
        }
        valid(&schema, &a, NULL);
        if (a.n_children && !child.release && order & 1) {
            child = *a.children[a.n_children - 1];
            a.children[a.n_children - 1]->release = NULL;
        } else if (!kept.release && order & 2) {
            kept = a;
            continue;
        }
        release(&a);
    }
    stream.release(&stream);
    HOLDS(!stream.release && held(file) == used);
    if (kept.release) { valid(&schema, &kept, NULL); }
    if (child.release && schema.n_children) {
        valid(schema.children[schema.n_children - 1], &child, NULL);
    }
    release(&child);
    schema.release(&schema);
    release(&kept);
}

static void print_rows(taco_pq_file *file)
{
    taco_error err;
    taco_batch batch;
    size_t n, calls = 0;
    taco_pq_reader *rows;
    const taco_field *fields;
    taco_printer *p;
    memset(&err, 0, sizeof err);
    rows = taco_pq_read(file, NULL, &err);
    fields = taco_pq_reader_fields(rows, &n);
    p = rows ? taco_printer_open(fields, n, TACO_FORMAT_ARROW, NULL, &err) : NULL;
    while (p && calls++ < 20 && taco_pq_reader_next(rows, &batch)) {
        taco_bytes text = taco_printer_batch(p, &batch, &err);
        HOLDS((text.data != NULL) == (err.code == TACO_OK));
        HOLDS(text.len % 8 == 0);
        touch(text.data, text.len);
        if (!text.data) { break; }
    }
    taco_printer_close(p);
    taco_pq_reader_close(rows, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_pq_query q;
    taco_pq_file *file;
    const taco_field *fields;
    size_t i, n;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    opt.limits.max_memory = (uint64_t)32 << 20;
    opt.limits.max_page = (uint64_t)1 << 20;
    taco_source_memory(&src, data, size);
    file = taco_pq_open_source(&src, "fuzz.parquet", &opt, &err);
    if (!file) { return 0; }
    q.batch_rows = 1 + size % 700;
    export_rows(file, &q, (unsigned)size);
    fields = taco_pq_fields(file, &n);
    for (i = 0; i < n && i < 16; i++) { /* alone, so that a bad one does not hide the others */
        const char *name = fields[i].name;
        q.columns = &name;
        q.column_count = 1;
        export_rows(file, &q, (unsigned)i);
    }
    print_rows(file);
    taco_pq_close(file);
    return 0;
}
