/* dataset_writer.c - taco_create and taco_writer_*: samples, folders and columns one by one

   In: calls of the public writer in the order of the tree (collection and columns, then samples
   with their values, children between folder_begin and folder_end); out: a container
   (container_write.c). TACO 2.0 §5, §5.5 (padding), §7.1.1.

   Payloads are written immediately; ids and offsets stay in the tree, values in one builder per
   column (column_builder.c, sample_values.c) until taco_writer_finish streams them into the
   tables. Errors are sticky: after the first every call returns its code, and finish reports it.
   Columns may lag behind their level: a row without a value is filled in when the next sample
   begins (taco__dataset_writer_fill_missing), as null or as an error. Start reading at
   taco_writer_finish.

   The level of a sample is w->depth, the number of open FOLDERs. w->level is the level of the
   sample whose values are being set; after folder_end that is the FOLDER again. Its row is always
   the last one of its level. */
#include "write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- the handle ---- */

/* The code of the first failure; ARGUMENT if w is NULL. */
TACO__FN taco_status taco__dataset_writer_status(taco_writer *w)
{
    return w ? w->err.code : TACO_ERR_ARGUMENT;
}

/* Frees the writer itself too; its container has been finished or aborted. */
static void taco__dataset_writer_free(taco_writer *w)
{
    taco__mem mem;
    uint32_t level;
    size_t i;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < w->counts[level]; i++) {
            taco__builder_free(&w->columns[level][i]);
        }
        taco__mem_free(&w->mem, w->columns[level], w->caps[level] * sizeof *w->columns[level]);
        taco__hash_map_free(&w->names[level]);
    }
    taco__tree_free(&w->tree);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}

/* The writer for a path, or for a sink (then path is ""). The sink is taken over, on failure
   too. */
static taco_writer *taco__dataset_writer_open(const char *path, const taco_sink *sink,
                                              const taco_create_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_writer *w;
    taco_error own;
    taco_create_options o;
    memset(&own, 0, sizeof own);
    memset(&o, 0, sizeof o);
    err = taco__error_fresh(err, &own);
    o = opt ? *opt : o;
    taco__mem_init(&mem, o.options);
    w = (taco_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) {
        if (sink) { sink->close(sink->ctx, false); }
        return NULL;
    }
    w->mem = mem;
    w->arena.mem = &w->mem;
    taco__options_init(&w->options, o.options);
    o.options = &w->options;
    w->fill = o.fill;
    w->any_tree = o.any_tree;
    w->strict_pit = o.strict_pit;
    w->any_values = o.any_values;
    w->pad_to = o.pad_to;
    taco__tree_init(&w->tree, &w->mem);
    w->path = taco__arena_text(&w->arena, taco__bytes_text(path), err);
    if (!w->path && sink) { sink->close(sink->ctx, false); }
    if (!w->path ||
        !(sink ? taco__container_write_begin_sink(&w->pack, sink, &o, &w->tree, &w->mem, err)
               : taco__container_write_begin(&w->pack, path, &o, &w->tree, &w->mem, err))) {
        taco__dataset_writer_free(w);
        return NULL;
    }
    w->pack.given = true;
    return w;
}

TACO_API taco_writer *taco_create(const char *path, const taco_create_options *opt, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__dataset_writer_open(path, NULL, opt, err);
}

TACO_API taco_writer *taco_create_sink(const taco_sink *sink, const taco_create_options *opt,
                                       taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__sink_check(sink, err) ? taco__dataset_writer_open("", sink, opt, err) : NULL;
}

/* Leaves nothing at path. */
TACO_API void taco_writer_abort(taco_writer *w)
{
    if (w) {
        taco__container_write_abort(&w->pack);
        taco__dataset_writer_free(w);
    }
}

/* The text is copied, since nodes of the document point into it. */
TACO_API taco_status taco_writer_collection(taco_writer *w, const char *json, size_t len)
{
    char *copy;
    if (taco__dataset_writer_status(w) != TACO_OK) { return taco__dataset_writer_status(w); }
    copy = taco__arena_text(&w->arena, taco__bytes_of(json, json ? len : 0), &w->err);
    if (copy && taco__json_parse(&w->arena, taco__bytes_of(copy, json ? len : 0),
                                 &w->options.limits, &w->collection, &w->err) == TACO_OK) {
        if (!taco__json_is(w->collection.root, TACO__JSON_OBJECT)) {
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, 0,
                       "a collection must be a JSON object, found %s",
                       taco__json_type_name(w->collection.root));
        } else {
            w->has_collection = true;
            taco__rules_check_collection(&w->collection, true, taco__rules_stop_at_first, &w->err);
        }
    }
    if (w->err.code != TACO_OK) { taco__error_prefix(&w->err, "collection"); }
    return w->err.code;
}

/* Declares a column. With `fill` also after the first sample: earlier rows are null. */
TACO_API taco_status taco_writer_field(taco_writer *w, uint32_t level, const taco_field *field)
{
    taco_bytes name = taco__bytes_text(field && field->name ? field->name : "");
    taco__builder *c;
    bool added;
    if (taco__dataset_writer_status(w) != TACO_OK) { return taco__dataset_writer_status(w); }
    if (!field || level >= TACO__MAX_LEVELS) {
        return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q: there are levels 0 to %u", &name,
                          TACO__U(TACO__MAX_LEVELS - 1));
    }
    if (taco__rules_check_column_name(name, &w->err) != TACO_OK) { return w->err.code; }
    if (taco__hash_map_find(&w->names[level], name)) {
        return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q of level %u is declared twice", &name, TACO__U(level));
    }
    if (w->tree.level[level].rows && !w->fill) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "column %q: level %u has samples already, and the schema is strict",
                          &name, TACO__U(level));
    }
    if (w->counts[level] == w->caps[level]) {
        size_t cap = w->caps[level] ? w->caps[level] * 2 : 8;
        taco__builder *grown = (taco__builder *)taco__mem_resize(&w->mem, w->columns[level],
                                                                 w->caps[level] * sizeof *grown,
                                                                 cap * sizeof *grown, &w->err);
        if (!grown) { return w->err.code; }
        w->columns[level] = grown;
        w->caps[level] = cap;
    }
    c = &w->columns[level][w->counts[level]++];
    if (taco__builder_init(c, field, &w->mem, &w->arena, &w->err)) {
        w->names[level].mem = &w->mem;
        (void)taco__hash_map_add(&w->names[level], taco__bytes_text(c->rows.field->name), &added,
                                 &w->err);
    }
    return w->err.code;
}

/* Refuses types with parameters or children, which only a field can describe. */
static bool taco__dataset_writer_check_type(taco_writer *w, const char *name, taco_type type)
{
    taco_bytes n = taco__bytes_text(name ? name : "");
    if (taco__dataset_writer_status(w) != TACO_OK) { return false; }
    if (type == TACO_DECIMAL || type == TACO_FIXED || type >= TACO_LIST || type < TACO_NULL) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "column %q: this type needs taco_writer_field", &n);
    }
    return w->err.code == TACO_OK;
}

TACO_API taco_status taco_writer_column(taco_writer *w, uint32_t level, const char *name,
                                        taco_type type)
{
    taco_field f;
    if (!taco__dataset_writer_check_type(w, name, type)) { return taco__dataset_writer_status(w); }
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = type == TACO_TIMESTAMP || type == TACO_TIME ? TACO_MICRO : TACO_SECOND;
    return taco_writer_field(w, level, &f);
}

TACO_API taco_status taco_writer_list(taco_writer *w, uint32_t level, const char *name,
                                      taco_type items)
{
    taco_field f, item;
    if (!taco__dataset_writer_check_type(w, name, items)) { return taco__dataset_writer_status(w); }
    memset(&f, 0, sizeof f);
    memset(&item, 0, sizeof item);
    item.name = "element";
    item.type = items;
    item.nullable = true;
    f.name = name;
    f.type = TACO_LIST;
    f.children = &item;
    f.child_count = 1;
    return taco_writer_field(w, level, &f);
}

/* ---- values ---- */

/* Puts "sample 'id'" before the message of a failure; returns the status. */
TACO__FN taco_status taco__dataset_writer_prefix_error(taco_writer *w)
{
    const taco__failed_sample *f = &w->pack.failed;
    uint32_t level = f->known ? f->level : w->level;
    const taco__tree_level *l = &w->tree.level[level];
    if (w->err.code != TACO_OK && w->begun && l->rows) {
        size_t row = f->known ? f->row : l->rows - 1;
        taco_bytes id = taco__tree_id(&w->tree, level, row);
        taco__error_prefix(&w->err, "sample %u of level %u, %q", TACO__U(row), TACO__U(level), &id);
    }
    return w->err.code;
}

/* Completes a level up to `rows`: missing values become null, or are an error if the schema is
   strict. Padding never has values. */
static bool taco__dataset_writer_fill_missing(taco_writer *w, uint32_t level, size_t rows)
{
    size_t i;
    for (i = 0; i < w->counts[level]; i++) {
        taco__builder *c = &w->columns[level][i];
        while (c->rows.length < rows) {
            taco_bytes id = taco__tree_id(&w->tree, level, c->rows.length),
                       name = taco__bytes_text(c->rows.field->name);
            if (!w->fill && !taco__rules_is_padding(id)) {
                TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "sample %q of level %u has no value for column %q; the schema is "
                           "strict, null must be said",
                           &id, TACO__U(level), &name);
                return false;
            }
            if (!taco__array_builder_append_null(&c->rows, &w->err)) { return false; }
        }
    }
    return true;
}

/* ---- samples ---- */

/* Adds a sample of the open folder to the tree, after filling in missing values of earlier ones. */
static bool taco__dataset_writer_append_sample(taco_writer *w, taco_bytes id, bool folder)
{
    uint32_t level = w->depth;
    size_t parent = level ? w->tree.level[level - 1].rows - 1 : 0;
    w->level = level;
    if (!taco__dataset_writer_fill_missing(w, level, w->tree.level[level].rows) ||
        !taco__tree_append_ordered(&w->tree, level, parent, id, folder, &w->err)) {
        return false;
    }
    w->begun = true;
    return true;
}

/* Checks id and place of a sample (§5.6.1, depth, one type on level 0), then adds it. */
static bool taco__dataset_writer_begin_sample(taco_writer *w, const char *id, bool folder)
{
    taco_bytes name = taco__bytes_text(id ? id : "");
    if (taco__dataset_writer_status(w) != TACO_OK) { return false; }
    if (taco__rules_check_id(name, &w->err) != TACO_OK ||
        taco__rules_check_file_name(name, &w->err) != TACO_OK) {
        return false;
    }
    if (taco__rules_is_padding(name)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "id %q starts with '__', which is reserved for padding", &name);
        return false;
    }
    if (folder && w->depth + 1 >= TACO__MAX_LEVELS) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "FOLDER %q at level %u: the deepest level is %u", &name, TACO__U(w->depth),
                   TACO__U(TACO__MAX_LEVELS - 1));
        return false;
    }
    if (!w->any_tree && w->depth == 0 && w->tree.level[0].rows &&
        taco__tree_is_folder(&w->tree, 0, 0) != folder) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q is a %s, the first sample is a %s; all of level 0 must be of "
                   "one type",
                   &name, taco__collection_type_name(folder), taco__collection_type_name(!folder));
        return false;
    }
    return taco__dataset_writer_append_sample(w, name, folder);
}

/* Writes the bytes of the last sample, and closes them, on failure too. */
static taco_status taco__dataset_writer_store_payload(taco_writer *w, taco__input *in)
{
    if (w->err.code == TACO_OK) {
        taco__container_write_sample(&w->pack, w->level, w->tree.level[w->level].rows - 1, in,
                                     &w->err);
    }
    if (in) { taco__input_close(in); }
    return taco__dataset_writer_prefix_error(w);
}

/* Reads what is left of earlier samples. After a failure, theirs takes its place: true if there is
   one. */
TACO__FN bool taco__dataset_writer_blame_earlier(taco_writer *w)
{
    if (!taco__payload_batch_blame_earlier(&w->pack, &w->err)) { return false; }
    taco__dataset_writer_prefix_error(w);
    return true;
}

/* Adds a FILE whose bytes are already open; they are closed, on failure too. */
TACO__FN taco_status taco__dataset_writer_add_file(taco_writer *w, const char *id, taco__input *in)
{
    if (!taco__dataset_writer_begin_sample(w, id, false)) {
        taco__input_close(in);
        return taco__dataset_writer_status(w);
    }
    return taco__dataset_writer_store_payload(w, in);
}

/* Adds a FILE of the bytes of a file, opened with the caller's open_file if there is one. later: it
   will not change, and may be read later. */
TACO__FN taco_status taco__dataset_writer_add_path(taco_writer *w, const char *id, const char *path,
                                                   bool later)
{
    taco__input in;
    memset(&in, 0, sizeof in);
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    if (!path) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    } else if (w->options.open_file) {
        if (taco__source_open_path(&w->options, path, &in.source, &w->err)) {
            in.size = in.source.size;
            in.own = true;
        }
    } else {
#ifndef TACO_NO_STDIO
        taco__input_open_file(&in, path, &w->err);
#else
        taco__source_open_path(&w->options, path, &in.source, &w->err);
#endif
    }
    in.later = later;
    return taco__dataset_writer_store_payload(w, &in);
}

TACO_API taco_status taco_writer_file(taco_writer *w, const char *id, const char *path)
{
    return taco__dataset_writer_add_path(w, id, path, false);
}

TACO_API taco_status taco_writer_bytes(taco_writer *w, const char *id, const void *data, size_t len)
{
    taco__input in;
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    taco__input_from_bytes(&in, taco__bytes_of(data, len));
    return taco__dataset_writer_store_payload(w, &in);
}

/* A part of a source, which still belongs to the caller. */
TACO_API taco_status taco_writer_range(taco_writer *w, const char *id, const taco_source *src,
                                       uint64_t offset, uint64_t size)
{
    taco__input in;
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    if (!src || !taco__checked_range(offset, size, src->size)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, offset, "%u bytes, the source has %u", size,
                   src ? src->size : 0);
        return taco__dataset_writer_prefix_error(w);
    }
    taco__input_from_range(&in, src, offset, size);
    return taco__dataset_writer_store_payload(w, &in);
}

TACO_API taco_status taco_writer_placed(taco_writer *w, const char *id, uint64_t size, uint32_t crc,
                                        uint64_t *offset)
{
    size_t row;
    *offset = 0;
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    row = w->tree.level[w->level].rows - 1;
    if (!w->pack.zip) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a sample whose bytes come from elsewhere, in a FOLDER dataset");
    } else {
        taco__container_write_gap(&w->pack, w->level, row, size, crc, offset, &w->err);
    }
    return taco__dataset_writer_prefix_error(w);
}

TACO_API uint32_t taco_crc32(uint32_t crc, const void *data, size_t len)
{
    return taco__crc32(crc, data, len);
}

TACO_API taco_status taco_writer_folder_begin(taco_writer *w, const char *id)
{
    if (taco__dataset_writer_begin_sample(w, id, true)) {
        w->depth++;
        return taco__dataset_writer_store_payload(w, NULL);
    }
    return taco__dataset_writer_status(w);
}

/* ---- padding (§5.5, §7.1.1) ---- */

/* Adds a padding sample, an empty FILE. */
static bool taco__dataset_writer_pad_file(taco_writer *w, taco_bytes id)
{
    taco__input in;
    taco__input_from_bytes(&in, taco__bytes_of(NULL, 0));
    return taco__dataset_writer_append_sample(w, id, false) &&
           taco__dataset_writer_store_payload(w, &in) == TACO_OK;
}

/* Repeats everything below row `like` of the level above, without bytes, below the last folder: so
   a padding sample is isomorphic to the first. */
static bool taco__dataset_writer_pad_below(taco_writer *w, uint32_t level, size_t like)
{
    size_t row;
    bool ok = true;
    w->depth = level;
    for (row = 0;
         ok && row < w->tree.level[level].rows && taco__tree_parent(&w->tree, level, row) <= like;
         row++) {
        taco_bytes id = taco__tree_id(&w->tree, level, row);
        char *copy;
        if (taco__tree_parent(&w->tree, level, row) != like) { continue; }
        copy = taco__arena_text(&w->arena, id, &w->err); /* the tree's ids move when it grows */
        id = taco__bytes_of(copy, id.len);
        if (!copy || !taco__tree_is_folder(&w->tree, level, row)) {
            ok = copy && taco__dataset_writer_pad_file(w, id);
        } else {
            ok = taco__dataset_writer_append_sample(w, id, true) &&
                 taco__dataset_writer_store_payload(w, NULL) == TACO_OK &&
                 taco__dataset_writer_pad_below(w, level + 1, row);
            w->depth = level;
        }
    }
    return ok;
}

/* Pads the children of the open folder, or at depth 0 the samples, to a multiple of pad_to. Rows
   are named __TACOPAD__0 and so on. */
static bool taco__dataset_writer_pad(taco_writer *w)
{
    const taco__tree_level *l = &w->tree.level[w->depth];
    size_t from = l->rows, n, k;
    bool fill = w->fill, ok = true;
    if (!w->pad_to || !l->rows) { return true; }
    while (from && (!w->depth || taco__tree_parent(&w->tree, w->depth, from - 1) ==
                                     w->tree.level[w->depth - 1].rows - 1)) {
        from--;
    }
    n = l->rows - from;
    n = (w->pad_to - n % w->pad_to) % w->pad_to;
    ok = taco__dataset_writer_fill_missing(w, w->depth, l->rows);
    w->fill = true; /* padding has no values */
    for (k = 0; ok && k < n; k++) {
        char id[40] = TACO__RULES_PADDING;
        size_t len = sizeof TACO__RULES_PADDING - 1;
        uint32_t depth = w->depth;
        bool folder = depth == 0 && taco__tree_is_folder(&w->tree, 0, 0);
        len += taco__num_format_u64(id + len, k);
        if (folder) {
            ok = taco__dataset_writer_append_sample(w, taco__bytes_of(id, len), true) &&
                 taco__dataset_writer_store_payload(w, NULL) == TACO_OK &&
                 taco__dataset_writer_pad_below(w, 1, 0);
        } else {
            ok = taco__dataset_writer_pad_file(w, taco__bytes_of(id, len));
        }
        w->depth = depth;
    }
    for (k = 0; ok && n && k < TACO__MAX_LEVELS; k++) {
        ok = k < w->depth ||
             taco__dataset_writer_fill_missing(w, (uint32_t)k, w->tree.level[k].rows);
    }
    w->fill = fill;
    return ok;
}

/* Pads the children, and makes the FOLDER the sample whose columns are set. */
TACO_API taco_status taco_writer_folder_end(taco_writer *w)
{
    if (taco__dataset_writer_status(w) != TACO_OK) { return taco__dataset_writer_status(w); }
    if (w->depth == 0) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "no FOLDER is open");
    }
    if (taco__dataset_writer_pad(w)) {
        w->depth--;
        w->level = w->depth; /* columns are those of the FOLDER again */
    }
    return w->err.code;
}

/* ---- the end ---- */

/* taco__container_columns.begin: the tables are read from the first row. */
static bool taco__dataset_writer_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    (void)err;
    w->table = level;
    w->at = 0;
    return true;
}

/* taco__container_columns.next: slices of the complete columns, without a copy. */
static bool taco__dataset_writer_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    size_t rows = w->tree.level[w->table].rows, i;
    (void)err;
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)w->at;
    out->length = TACO__MIN(rows - w->at, (size_t)TACO__BUILDER_SLICE);
    for (i = 0; i < w->counts[w->table]; i++) {
        taco__builder *c = &w->columns[w->table][i];
        w->arrays[i] = taco__array_buf_slice(&c->pieces, &c->array, w->at, out->length);
    }
    out->columns = w->arrays;
    out->column_count = w->counts[w->table];
    w->at += out->length;
    return true;
}

/* Turns the builders into arrays, and describes them to the container. */
static bool taco__dataset_writer_finish_columns(taco_writer *w, taco__container_columns *src)
{
    uint32_t level;
    size_t i, most = 0;
    memset(src, 0, sizeof *src);
    src->ctx = w;
    src->begin = taco__dataset_writer_begin_level;
    src->next = taco__dataset_writer_next_batch;
    for (level = 0; level < w->tree.levels; level++) {
        size_t n = w->counts[level];
        most = TACO__MAX(most, n);
        w->fields[level] =
            (taco_field *)taco__arena_array(&w->arena, n, sizeof **w->fields, &w->err);
        for (i = 0; w->err.code == TACO_OK && i < n; i++) {
            taco__builder *c = &w->columns[level][i];
            taco__builder_finish(c);
            taco__array_buf_init(&c->pieces, c->rows.field, &w->mem, &w->arena, &w->err);
            w->fields[level][i] = *c->rows.field;
        }
        src->fields[level] = w->fields[level];
        src->counts[level] = n;
    }
    w->arrays = (taco_array *)taco__arena_array(&w->arena, most, sizeof *w->arrays, &w->err);
    return w->err.code == TACO_OK;
}

/* State for taco__column_rule_check_rows: the arrays begin with row `first`. */
typedef struct taco__dataset_writer_breach {
    taco_writer *w;
    uint32_t level;
    size_t first;
} taco__dataset_writer_breach;

/* Makes the first breach the writer's failure. */
static bool taco__dataset_writer_report(void *ctx, const taco_field *column, size_t row,
                                        const taco_error *what)
{
    const taco__dataset_writer_breach *b = (const taco__dataset_writer_breach *)ctx;
    taco_bytes id = taco__tree_id(&b->w->tree, b->level, b->first + row);
    (void)column;
    b->w->err = *what;
    taco__error_prefix(&b->w->err, "sample %u of level %u, %q", TACO__U(b->first + row),
                       TACO__U(b->level), &id);
    return false;
}

/* Checks that columns of extensions hold what their names promise, however they were set (§8). */
static bool taco__dataset_writer_check_values(taco_writer *w)
{
    taco__dataset_writer_breach b;
    taco_batch batch;
    size_t i;
    b.w = w;
    for (b.level = 0; b.level < w->tree.levels; b.level++) {
        for (i = 0; i < w->counts[b.level]; i++) {
            if (taco__column_rule_check_type(&w->fields[b.level][i], &w->err) != TACO_OK) {
                taco__error_prefix(&w->err, "level %u", TACO__U(b.level));
                return false;
            }
        }
        taco__dataset_writer_begin_level(w, b.level, &w->err);
        while (w->at < w->tree.level[b.level].rows) {
            b.first = w->at;
            if (!taco__dataset_writer_next_batch(w, &batch, &w->err) ||
                !taco__column_rule_check_rows(batch.columns, batch.column_count, batch.length,
                                              taco__dataset_writer_report, &b)) {
                return false;
            }
        }
    }
    return true;
}

/* All checks of a complete dataset, then its metadata. */
static bool taco__dataset_writer_finish(taco_writer *w)
{
    taco__container_columns src;
    uint32_t level;
    if (w->err.code != TACO_OK) { return false; }
    if (!taco__payload_batch_end(&w->pack, &w->err)) {
        if (w->pack.failed.known) { taco__dataset_writer_prefix_error(w); }
        return false;
    }
    if (w->depth) {
        taco_bytes id = taco__tree_id(&w->tree, w->depth - 1, w->tree.level[w->depth - 1].rows - 1);
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "FOLDER %q is still open", &id);
        return false;
    }
    if (!w->has_collection) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "there is no collection");
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        if (!taco__dataset_writer_fill_missing(w, level, w->tree.level[level].rows)) {
            return false;
        }
    }
    return taco__dataset_writer_pad(w) &&
           (w->any_tree || taco__tree_check_pit1(&w->tree, true, &w->err) == TACO_OK) &&
           (!w->strict_pit || taco__tree_check_strict_pit(&w->tree, &w->err) == TACO_OK) &&
           taco__dataset_writer_finish_columns(w, &src) &&
           (w->any_values || taco__dataset_writer_check_values(w)) &&
           taco__container_write_finish(&w->pack, w->collection.root, &src, &w->err);
}

/* The writer is gone afterwards, whatever the result. */
TACO_API taco_status taco_writer_finish(taco_writer *w, taco_error *err)
{
    taco_status st;
    if (!w) { return err ? err->code : TACO_ERR_ARGUMENT; }
    if (!taco__dataset_writer_finish(w)) {
        taco__container_write_abort(&w->pack); /* does nothing, unless finishing failed */
        if (w->path[0]) { taco__error_prefix(&w->err, "%s", w->path); }
    }
    st = w->err.code;
    taco__error_copy(err, &w->err);
    taco__dataset_writer_free(w);
    return st;
}
