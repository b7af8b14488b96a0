/* tortilla_edit.c - replaces the collection or the footer of existing files

   In: the path of a .tortilla or .taco; out: a file with the same payloads, a new header, and a new
   footer or collection. Payloads are copied, never parsed; a tortilla with a collection becomes a
   TACO, and back, byte for byte. The new file is complete before it gets its name, so that both
   names may be the same. Files from before 0.3 can be read, but not edited. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"

/* A file being edited. */
typedef struct taco__tortilla_edit {
    taco_source src;
    taco__file file;
    taco__tortilla head;
    uint8_t raw[TACO__TORTILLA_HEADER_BYTES]; /* the header, patched and written back */
} taco__tortilla_edit;

/* Opens the file and reads its header. */
static bool taco__tortilla_edit_open(taco__tortilla_writer *w, const char *in,
                                     taco__tortilla_edit *e)
{
    memset(e, 0, sizeof *e);
    if (!taco__source_open_path(&w->options, in, &e->src, w->err)) { return false; }
    taco__file_init(&e->file, &e->src, "", &w->mem);
    if (!taco__tortilla_read_header(&e->file, 0, &w->arena, &e->head, w->err) ||
        !taco__file_read(&e->file, 0, e->raw, sizeof e->raw, w->err)) {
        return false;
    }
    if (e->head.driver) {
        TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, 18,
                   "files of before Tortilla 0.3 are read, not changed");
        return false;
    }
    return true;
}

/* Writes the header, bytes [200, end) unchanged, and what follows them. */
static bool taco__tortilla_edit_write(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                      const char *out, uint64_t end, taco_bytes next,
                                      taco_bytes last)
{
    taco__input body;
    bool ok;
    if (end < TACO__TORTILLA_HEADER_BYTES || end > e->src.size) {
        TACO__FAIL(w->err, TACO_ERR_CORRUPT, 2, "the footer stands where the header is");
        return false;
    }
    if (!taco__tortilla_write_open(w, out)) { return false; }
    taco__input_from_range(&body, &e->src, TACO__TORTILLA_HEADER_BYTES,
                           end - TACO__TORTILLA_HEADER_BYTES);
    ok = taco__output_write(&w->out, e->raw, sizeof e->raw, w->err) &&
         taco__tortilla_write_payload(w, &body, taco__bytes_text("")) &&
         taco__output_write(&w->out, next.data, next.len, w->err) &&
         taco__output_write(&w->out, last.data, last.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

/* Closes the file and frees the writer, after success or failure. */
static taco_status taco__tortilla_edit_close(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                             bool ok, const char *path)
{
    if (e->src.read) { taco__file_close(&e->file); }
    return taco__tortilla_write_finish(w, ok, path);
}

/* Checks that the file is a TACO, or with `taco` false that it is not. */
static bool taco__tortilla_edit_check_kind(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                           bool taco)
{
    if ((memcmp(e->raw, "WX", 2) == 0) == taco) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, 0, taco ? "a tortilla, not a TACO" : "a TACO already");
    return false;
}

/* Checks that the collection is the end of the file: what is written again ends where it begins. */
static bool taco__tortilla_edit_check_end(taco__tortilla_writer *w, const taco__tortilla_edit *e)
{
    taco__range footer = e->head.footer, json = e->head.collection;
    if (!json.len ||
        (footer.offset + footer.len <= json.offset && json.offset + json.len == e->src.size)) {
        return true;
    }
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, 26,
               "the collection at %u has %u bytes, and is not the end of the file, which has %u: "
               "what follows it would be lost",
               json.offset, json.len, e->src.size);
    return false;
}

TACO_API taco_status taco_tortilla_to_taco(const char *in, const char *out, const char *collection,
                                           const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json, none = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, false) &&
         taco__tortilla_check_collection(&w, collection, &json);
    if (ok) {
        memcpy(e.raw, "WX", 2);
        taco__put_le64(e.raw + 26, e.src.size);
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.src.size, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

TACO_API taco_status taco_tortilla_from_taco(const char *in, const char *out,
                                             const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes none = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true) &&
         taco__tortilla_edit_check_end(&w, &e);
    if (ok) {
        memcpy(e.raw, "#y", 2);
        memset(e.raw + 26, 0, 16);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, none, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

TACO_API taco_status taco_tortilla_edit_collection(const char *in, const char *out,
                                                   const char *collection, const taco_options *opt,
                                                   taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json, none = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true) &&
         taco__tortilla_edit_check_end(&w, &e) &&
         taco__tortilla_check_collection(&w, collection, &json);
    if (ok) {
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

/* ---- another footer ---- */

/* Checks that the rows of a new footer lie before it. */
static bool taco__tortilla_edit_check_rows(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                           const taco_batch *rows)
{
    const taco_array *offset =
        taco__tortilla_check_find(rows->columns, rows->column_count, "tortilla:offset");
    const taco_array *length =
        taco__tortilla_check_find(rows->columns, rows->column_count, "tortilla:length");
    const taco_array *id =
        taco__tortilla_check_find(rows->columns, rows->column_count, "tortilla:id");
    size_t i;
    if (!offset || !length || !id || !taco__concat_is_integer(offset->field->type) ||
        !taco__concat_is_integer(length->field->type) || id->field->type != TACO_TEXT) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a footer has tortilla:id, tortilla:offset and tortilla:length");
        return false;
    }
    for (i = 0; i < rows->length; i++) {
        int64_t o = taco_array_int(offset, i), l = taco_array_int(length, i);
        if (o < 0 || l < 0 ||
            !taco__checked_range((uint64_t)o, (uint64_t)l, e->head.footer.offset)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: %d bytes at %d, the payloads end at %u", TACO__U(i), TACO__D(l),
                       TACO__D(o), e->head.footer.offset);
            return false;
        }
    }
    return true;
}

/* True for a column `id` or `type` that only repeats tortilla:id or tortilla:file_format: readers
   add such columns. */
static bool taco__tortilla_edit_is_alias(const taco_batch *rows, const taco_array *a)
{
    bool id = strcmp(a->field->name, "id") == 0;
    const taco_array *from = taco__tortilla_check_find(rows->columns, rows->column_count,
                                                       id ? "tortilla:id" : "tortilla:file_format");
    size_t i;
    if (!from || a->field->type != TACO_TEXT || (!id && strcmp(a->field->name, "type") != 0)) {
        return false;
    }
    for (i = 0; i < rows->length; i++) {
        taco_bytes want = taco_array_bytes(from, i);
        if (!id) {
            bool nested = taco__bytes_equal(want, taco__bytes_text("TORTILLA"));
            want = taco__bytes_text(nested ? "FOLDER" : "FILE");
        }
        if (!taco__bytes_equal(taco_array_bytes(a, i), want)) { return false; }
    }
    return true;
}

/* Encodes the footer of the rows: their columns, except for those made by readers. */
static bool taco__tortilla_edit_encode(taco__tortilla_writer *w, const taco_batch *rows,
                                       taco_bytes *footer)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, rows->column_count + 1, sizeof *columns, w->err);
    size_t i, n = 0;
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strncmp(name, "internal:", 9) != 0 && strcmp(name, "geometry") != 0 &&
            !taco__tortilla_edit_is_alias(rows, &rows->columns[i])) {
            columns[n++] = rows->columns[i];
        }
    }
    return columns && taco__tortilla_write_encode_footer(w, columns, n, rows->length, NULL, footer);
}

/* Reads the collection unchanged; {NULL, 0} for a tortilla. */
static bool taco__tortilla_edit_read_collection(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                                taco_bytes *json)
{
    taco__range r = e->head.collection;
    uint8_t *p;
    *json = taco__bytes_of(NULL, 0);
    if (!r.len) { return true; }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)r.len, w->err);
    *json = taco__bytes_of(p, (size_t)r.len);
    return p && taco__file_read(&e->file, r.offset, p, (size_t)r.len, w->err);
}

TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json, footer;
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    if (!rows) {
        return TACO__FAIL_SOFT(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no rows given");
    }
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_rows(&w, &e, rows) &&
         taco__tortilla_check_rows(&w, rows->columns, rows->column_count, rows->length, true) &&
         taco__tortilla_edit_encode(&w, rows, &footer) &&
         taco__tortilla_edit_read_collection(&w, &e, &json);
    if (ok) {
        taco__put_le64(e.raw + 10, footer.len);
        if (json.data) { taco__put_le64(e.raw + 26, e.head.footer.offset + footer.len); }
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.footer.offset, footer, json);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
