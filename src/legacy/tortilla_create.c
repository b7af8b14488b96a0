/* tortilla_create.c - taco_tortilla_create: writes the caller's samples as a .tortilla or .taco

   In: columns of samples, and a function that supplies the bytes of each; out: a file, parts
   of one, or a file with a chain of footers. The columns are checked (tortilla_check.c) before
   the first byte is written. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

/* The caller's function, which supplies sources that we have to close. */
typedef struct taco__tortilla_caller {
    bool (*payload)(void *ctx, size_t row, taco_source *out);
    void *ctx;
} taco__tortilla_caller;

/* taco__tortilla_payload_fn: rows are counted across all parts. */
static bool taco__tortilla_create_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err)
{
    const taco__tortilla_caller *c = (const taco__tortilla_caller *)ctx;
    taco_source src;
    memset(&src, 0, sizeof src);
    if (!c->payload(c->ctx, node->first_row + row, &src)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "row %u: its bytes cannot be had",
                   TACO__U(node->first_row + row));
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

/* The columns of the caller, except for those that a footer computes. */
static bool taco__tortilla_create_node(taco__tortilla_writer *w, const taco_batch *rows,
                                       taco__tortilla_node *node)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, rows->column_count + 1, sizeof *columns, w->err);
    size_t i;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, rows->length + 1, sizeof(uint64_t), w->err);
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strcmp(name, "tortilla:offset") != 0 && strcmp(name, "tortilla:length") != 0 &&
            strncmp(name, "internal:", 9) != 0) {
            columns[node->column_count++] = rows->columns[i];
        }
    }
    node->columns = columns;
    node->rows = rows->length;
    return columns && node->sizes;
}

/* Writes a checked node, according to the options. */
static bool taco__tortilla_create_write(taco__tortilla_writer *w, const char *path,
                                        taco__tortilla_node *node, const taco_tortilla_options *opt,
                                        taco_bytes collection)
{
    uint64_t most = opt->part_bytes ? opt->part_bytes : TACO__TORTILLA_PART_BYTES;
    if (!taco__tortilla_check_name(w, path, collection.len != 0) ||
        !taco__tortilla_write_measure(w, node)) {
        return false;
    }
    return opt->chain || opt->chunks
               ? taco__chain_write_file(w, path, node, collection, opt->chunks)
               : taco__tortilla_write_parts(w, path, node, most, collection);
}

TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_tortilla_options defaults;
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_caller caller;
    taco_bytes collection = {NULL, 0};
    bool ok;
    memset(&defaults, 0, sizeof defaults);
    opt = opt ? opt : &defaults;
    taco__tortilla_write_init(&w, opt->options, taco__error_fresh(err, &own));
    if (!path || !samples || !payload || samples->length == 0) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          !path ? "path" : "samples");
    }
    caller.payload = payload;
    caller.ctx = ctx;
    w.closes = true;
    w.any_tiff = opt->any_format;
    w.keep_parts = opt->keep_parts;
    w.payload = taco__tortilla_create_payload;
    w.ctx = &caller;
    ok = (!opt->collection || taco__tortilla_check_collection(&w, opt->collection, &collection)) &&
         taco__tortilla_create_node(&w, samples, &node) &&
         taco__tortilla_centroid_add(&w, &node, opt) &&
         taco__tortilla_check_rows(&w, node.columns, node.column_count, node.rows,
                                   opt->any_format) &&
         taco__tortilla_create_write(&w, path, &node, opt, collection);
    return taco__tortilla_write_finish(&w, ok, path);
}
