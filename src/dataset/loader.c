/* loader.c - payloads in batches: rows in some order, read a round at a time and decoded by tasks

   In: the rows of a query, as locations of their payloads, and an order (shard.c). Out: batches, in
   that order. A round is `ahead` batches: the calling thread reads their payloads in file order,
   the host's parallel_for decodes them, and they are returned one by one. Two rounds are kept, so
   that a batch outlives the next `ahead` calls.

   taco_loader_open makes the list of places; taco__loader_round reads and decodes. */
#include "dataset.h"
#include "../base/base.h"

#define TACO__LOADER_BATCH 32 /* default of taco_loader_options.batch */
#define TACO__LOADER_AHEAD 2
#define TACO__LOADER_MOST  64 /* most batches in a round */
#define TACO__LOADER_ALIGN 64 /* alignment of decoded items */

/* Location of the payload of a row. */
typedef struct taco__loader_place {
    uint64_t offset, size; /* size UINT64_MAX: the whole file */
    uint64_t file;         /* number of its file in l->files */
} taco__loader_place;

/* A file with payloads. */
typedef struct taco__loader_file {
    size_t name; /* offset in l->names */
    const taco__container *store;
} taco__loader_file;

/* A payload of a round that has to be read. */
typedef struct taco__loader_read {
    taco__loader_place place;
    size_t item;
} taco__loader_read;

/* The batches loaded together. */
typedef struct taco__loader_round {
    taco_loader_item *items; /* [ahead * batch] */
    taco_error *errors;      /* errors of the tasks, one for each item */
    size_t count, given;     /* items loaded; those in batches already returned */
    taco__buf bytes;         /* contiguous payloads */
    taco__buf decoded;
} taco__loader_round;

struct taco_loader {
    taco_dataset *ds;
    taco__mem *mem;
    taco_loader_options how;
    size_t round_items; /* ahead * batch */
    taco__buf places;   /* taco__loader_place of every row */
    taco__buf files;    /* taco__loader_file */
    taco__buf names;    /* names of files, NUL-terminated */
    /* rows of the query; next sample of this rank to load, and the end of them */
    uint64_t rows, next, end;
    taco__loader_round round[2]; /* the current round, and the one before it */
    size_t current;
    taco__loader_read *reads; /* [round_items] */
    taco_piece *pieces;       /* [round_items] */
    taco_error err;
    bool failed;
};

/* ---- places ---- */

/* The path with which the file of a format is opened. GDAL's path is good for local files. */
static taco_bytes taco__loader_format_file(const taco__container *s, taco_bytes vsi)
{
    size_t i;
    for (i = 0; taco__bytes_starts_with(vsi, "/vsi") && i < s->format_file_count; i++) {
        if (taco__bytes_equal(vsi, taco__bytes_text(s->format_files[i].vsi))) {
            return taco__bytes_text(s->format_files[i].path);
        }
    }
    return vsi;
}

/* The file that the rest of a GDAL path names: what follows the container's root in the path
   follows its directory in the file system. */
static bool taco__loader_append_file(taco_loader *l, const taco__container *s, taco_bytes path)
{
    taco_bytes root = taco__bytes_text(s->vsi);
    bool below = root.len && taco__bytes_common_prefix(path, root) == root.len;
    const char *base = s->kind == TACO_KIND_ZIP      ? s->name
                       : s->kind == TACO_KIND_FOLDER ? s->dir
                                                     : s->archive_dir;
    if (s->format) {
        path = taco__loader_format_file(s, path);
    } else if (below && base) {
        path.data += root.len;
        path.len -= root.len;
        /* the root of a FOLDER has no '/' at its end, its directory has one */
        if (s->kind == TACO_KIND_FOLDER && path.len && path.data[0] == '/') {
            path.data++;
            path.len--;
        }
        if (!taco__buf_append_text(&l->names, base, &l->err)) { return false; }
    }
    return taco__buf_append(&l->names, path.data, path.len, &l->err) &&
           taco__buf_append_char(&l->names, 0, &l->err);
}

/* Takes "{offset}_{size}," off the beginning of what follows /vsisubfile/. False if it is
   missing. */
static bool taco__loader_take_range(taco_bytes *path, taco__loader_place *p)
{
    const uint8_t *comma = (const uint8_t *)memchr(path->data, ',', path->len), *line;
    if (!comma) { return false; }
    line = (const uint8_t *)memchr(path->data, '_', (size_t)(comma - path->data));
    if (!line ||
        !taco__vsi_parse_number(taco__bytes_of(path->data, (size_t)(line - path->data)),
                                &p->offset) ||
        !taco__vsi_parse_number(taco__bytes_of(line + 1, (size_t)(comma - line - 1)), &p->size)) {
        return false;
    }
    path->len -= (size_t)(comma + 1 - path->data);
    path->data = comma + 1;
    return true;
}

static const taco__loader_file *taco__loader_get_file(const taco_loader *l, uint64_t file)
{
    return &((const taco__loader_file *)(const void *)l->files.data)[file];
}

static const char *taco__loader_file_name(const taco_loader *l, uint64_t file)
{
    return (const char *)l->names.data + taco__loader_get_file(l, file)->name;
}

/* Sets *file to the file that the rest of a GDAL path names, which is that of the row before in
   most cases. */
static bool taco__loader_add_file(taco_loader *l, const taco__container *s, taco_bytes path,
                                  uint64_t *file)
{
    taco__loader_file f;
    size_t n = l->files.len / sizeof f;
    f.name = l->names.len;
    f.store = s;
    if (!taco__loader_append_file(l, s, path)) { return false; }
    *file = n;
    if (n && taco__loader_get_file(l, n - 1)->store == s &&
        strcmp((const char *)l->names.data + f.name, taco__loader_file_name(l, n - 1)) == 0) {
        *file = n - 1;
        l->names.len = f.name;
        return true;
    }
    return taco__buf_append(&l->files, &f, sizeof f, &l->err);
}

/* Adds a row by its internal:gdal_vsi. */
static bool taco__loader_add(taco_loader *l, const taco__container *s, taco_bytes path)
{
    static const char subfile[] = "/vsisubfile/";
    taco__loader_place p;
    p.offset = 0;
    p.size = UINT64_MAX;
    if (!path.len) {
        TACO__FAIL(&l->err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "row %u has no internal:gdal_vsi: where its bytes are is null", l->rows);
        return false;
    }
    if (taco__bytes_starts_with(path, subfile)) {
        path.data += sizeof subfile - 1;
        path.len -= sizeof subfile - 1;
        if (!taco__loader_take_range(&path, &p)) {
            TACO__FAIL(&l->err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "no range in a path");
            return false;
        }
    }
    if (!taco__loader_add_file(l, s, path, &p.file)) { return false; }
    l->rows++;
    return taco__buf_append(&l->places, &p, sizeof p, &l->err);
}

/* Adds the rows of a batch. A FOLDER is refused, because it has no bytes to load. */
static bool taco__loader_add_batch(taco_loader *l, const taco__container *s,
                                   const taco_batch *batch)
{
    size_t i;
    for (i = 0; i < batch->length; i++) {
        taco_bytes type = taco_array_bytes(&batch->columns[1], i);
        if (!taco__bytes_equal(type, taco__bytes_text("FILE"))) {
            TACO__FAIL(&l->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u is of type %q, only FILEs have bytes to load", l->rows, &type);
            return false;
        }
        if (!taco__loader_add(l, s, taco_array_bytes(&batch->columns[0], i))) { return false; }
    }
    return true;
}

/* Lists the places of the rows of a query. */
static bool taco__loader_list(taco_loader *l, const taco_query *q)
{
    taco_query paths;
    taco_cursor *rows;
    taco_batch batch;
    bool ok = true;
    memset(&paths, 0, sizeof paths);
    paths = q ? *q : paths;
    paths.select = "\"internal:gdal_vsi\", type";
    rows = taco_select(l->ds, &paths, &l->err);
    while (ok && taco_cursor_batch(rows, &batch)) {
        ok = taco__loader_add_batch(l, taco__cursor_container(rows), &batch);
    }
    return taco_cursor_close(rows, &l->err) == TACO_OK && ok;
}

/* ---- open and close ---- */

static void taco__loader_free(taco_loader *l)
{
    taco__mem *mem = l->mem;
    size_t k, n = l->round_items;
    for (k = 0; k < 2; k++) {
        taco__loader_round *r = &l->round[k];
        taco__buf_free(&r->bytes);
        taco__buf_free(&r->decoded);
        if (r->items) { taco__mem_free(mem, r->items, n * sizeof *r->items); }
        if (r->errors) { taco__mem_free(mem, r->errors, n * sizeof *r->errors); }
    }
    if (l->reads) { taco__mem_free(mem, l->reads, n * sizeof *l->reads); }
    if (l->pieces) { taco__mem_free(mem, l->pieces, n * sizeof *l->pieces); }
    taco__buf_free(&l->places);
    taco__buf_free(&l->files);
    taco__buf_free(&l->names);
    taco__mem_free(mem, l, sizeof *l);
}

/* An array for the items of a round; NULL, with l->err set, if there is no memory. */
static void *taco__loader_array(taco_loader *l, size_t item)
{
    size_t bytes;
    if (!taco__checked_mul_size(l->round_items, item, &bytes)) {
        TACO__FAIL(&l->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a batch");
        return NULL;
    }
    return taco__mem_alloc(l->mem, bytes, &l->err);
}

/* Allocates the rounds, and room for their decoded items. */
static bool taco__loader_make_rounds(taco_loader *l)
{
    size_t k, bytes;
    l->reads = (taco__loader_read *)taco__loader_array(l, sizeof *l->reads);
    l->pieces = (taco_piece *)taco__loader_array(l, sizeof *l->pieces);
    for (k = 0; k < 2; k++) {
        taco__loader_round *r = &l->round[k];
        r->items = (taco_loader_item *)taco__loader_array(l, sizeof *r->items);
        r->errors = (taco_error *)taco__loader_array(l, sizeof *r->errors);
        if (!r->items || !r->errors) { return false; }
        if (!taco__checked_mul_size(l->round_items, l->how.item_bytes, &bytes) ||
            !taco__checked_add_size(bytes, TACO__LOADER_ALIGN, &bytes)) {
            TACO__FAIL(&l->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a batch");
            return false;
        }
        if (l->how.decode && !taco__buf_reset(&r->decoded, bytes, &l->err)) { return false; }
    }
    return l->reads && l->pieces;
}

/* Sets the defaults, and this rank's share of the order. */
static bool taco__loader_set_order(taco_loader *l)
{
    taco_loader_options *how = &l->how;
    how->ranks = how->ranks ? how->ranks : 1;
    how->batch = how->batch ? how->batch : TACO__LOADER_BATCH;
    how->ahead = TACO__MIN(how->ahead ? how->ahead : TACO__LOADER_AHEAD, TACO__LOADER_MOST);
    if (how->rank >= how->ranks) {
        TACO__FAIL(&l->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "rank %u of %u, ranks count from 0",
                   TACO__U(how->rank), TACO__U(how->ranks));
        return false;
    }
    l->end = l->rows > how->rank ? (l->rows - how->rank - 1) / how->ranks + 1 : 0;
    l->next = TACO__MIN(how->first, l->end);
    if (!taco__checked_mul_size(how->batch, how->ahead, &l->round_items)) {
        TACO__FAIL(&l->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a batch of %u samples",
                   TACO__U(how->batch));
        return false;
    }
    return true;
}

TACO_API taco_loader *taco_loader_open(taco_dataset *ds, const taco_query *q,
                                       const taco_loader_options *how, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_loader *l;
    err = taco__error_fresh(err, &own);
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    l = (taco_loader *)taco__mem_alloc(&ds->mem, sizeof *l, err);
    if (!l) { return NULL; }
    memset(l, 0, sizeof *l);
    l->ds = ds;
    l->mem = &ds->mem;
    l->places.mem = l->files.mem = l->names.mem = l->mem;
    l->round[0].bytes.mem = l->round[0].decoded.mem = l->mem;
    l->round[1].bytes.mem = l->round[1].decoded.mem = l->mem;
    if (how) { l->how = *how; }
    if (!taco__loader_list(l, q) || !taco__loader_set_order(l) || !taco__loader_make_rounds(l)) {
        *err = err->code == TACO_OK ? l->err : *err;
        taco__loader_free(l);
        return NULL;
    }
    return l;
}

TACO_API uint64_t taco_loader_count(const taco_loader *l)
{
    return l ? l->end : 0;
}

TACO_API taco_status taco_loader_seek(taco_loader *l, uint64_t first, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!l) { return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no loader given"); }
    if (l->failed) {
        return TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the loader has failed before");
    }
    l->round[0].count = l->round[0].given = l->round[1].count = l->round[1].given = 0;
    l->next = TACO__MIN(first, l->end);
    return TACO_OK;
}

TACO_API taco_status taco_loader_close(taco_loader *l, taco_error *err)
{
    taco_status st;
    if (!l) { return TACO_OK; }
    st = l->err.code;
    taco__error_copy(err, &l->err);
    taco__loader_free(l);
    return st;
}

/* ---- reading a round ---- */

/* By file, then by place. */
static int taco__loader_compare(const void *ctx, const void *a, const void *b)
{
    const taco__loader_place *x = &((const taco__loader_read *)a)->place,
                             *y = &((const taco__loader_read *)b)->place;
    (void)ctx;
    if (x->file != y->file) { return x->file < y->file ? -1 : 1; }
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Opens the file of a payload, or uses the archive with it, which is open. */
static bool taco__loader_open_file(taco_loader *l, uint64_t file, taco_source *src, bool *own)
{
    const taco__container *s = taco__loader_get_file(l, file)->store;
    *own = !(s->kind == TACO_KIND_ZIP && s->file_open);
    if (!*own) {
        *src = s->file.src;
        return true;
    }
    return taco__source_open_path(&l->ds->options, taco__loader_file_name(l, file), src, &l->err);
}

/* Makes room for `size` more bytes of payload in the round; pointers are set when all have been
   read. */
static bool taco__loader_reserve(taco__loader_round *r, uint64_t size, taco_error *err)
{
    size_t n;
    if (!taco__checked_to_size(size, &n) || !taco__buf_reserve(&r->bytes, n, err)) {
        if (err->code == TACO_OK) {
            TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a payload");
        }
        return false;
    }
    r->bytes.len += n;
    return true;
}

/* Reads n ranges, together if the source can; skips empty payloads. */
static bool taco__loader_read_pieces(taco_piece *pieces, size_t n, const taco_source *src)
{
    size_t i, count = 0;
    bool ok = true;
    for (i = 0; i < n; i++) {
        if (pieces[i].len) { pieces[count++] = pieces[i]; }
    }
    if (count && src->read_many) { return src->read_many(src->ctx, pieces, count); }
    for (i = 0; ok && i < count; i++) {
        ok = src->read(src->ctx, pieces[i].offset, pieces[i].dst, pieces[i].len);
    }
    return ok;
}

/* How many bytes before a payload to read, too: those with the local header in its archive, but
   none of the payload before, as sources read separate ranges. */
static size_t taco__loader_lead(const taco__loader_read *reads, size_t i)
{
    const taco__loader_place *p = &reads[i].place;
    uint64_t from = i ? reads[i - 1].place.offset + reads[i - 1].place.size : 0;
    if (p->size == UINT64_MAX || p->size == 0) { return 0; }
    return from < p->offset ? (size_t)TACO__MIN(p->offset - from, (uint64_t)TACO__ZIP_LEAD) : 0;
}

/* Plans the ranges of n payloads of one file, with what is before them, and makes room. */
static bool taco__loader_plan_file(taco_loader *l, taco__loader_round *r, taco__loader_read *reads,
                                   size_t n, uint64_t end)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__loader_place *p = &reads[i].place;
        size_t lead = taco__loader_lead(reads, i);
        p->size = p->size == UINT64_MAX ? end : p->size;
        if (!taco__checked_range(p->offset, p->size, end)) {
            TACO__FAIL(&l->err, TACO_ERR_TRUNCATED, p->offset,
                       "%s: payload of %u bytes, the file ends at %u",
                       taco__loader_file_name(l, p->file), p->size, end);
            return false;
        }
        l->pieces[i].offset = p->offset - lead;
        if (!taco__loader_reserve(r, p->size + lead, &l->err)) { return false; }
        l->pieces[i].len = (size_t)p->size + lead;
    }
    return true;
}

/* Compares payload i, which has been read, with the CRC-32 in its archive, if there is one. */
static bool taco__loader_check(taco_loader *l, const taco__loader_round *r,
                               const taco__loader_read *reads, size_t i, const taco_source *src)
{
    const taco__loader_place *p = &reads[i].place;
    const uint8_t *bytes = r->bytes.data + r->items[reads[i].item].bytes.len;
    size_t lead = taco__loader_lead(reads, i);
    taco_bytes name = taco__bytes_of(NULL, 0);
    bool known = false;
    uint32_t wanted = 0;
    if (!lead) { return true; }
    if (!taco__zip_lead_crc(taco__bytes_of(bytes - lead, lead), p->size, &known, &wanted, &name) &&
        lead == TACO__ZIP_LEAD) {
        known = taco__zip_stored_crc(src, p->offset, p->size, &wanted);
    }
    if (!known || taco__zip_check_copied(&l->ds->options, known, wanted,
                                         taco__crc32(0, bytes, (size_t)p->size), name, &l->err)) {
        return true;
    }
    taco__error_prefix(&l->err, "%s", taco__loader_file_name(l, p->file));
    return false;
}

/* Reads n payloads of one file into the round. */
static bool taco__loader_read_file(taco_loader *l, taco__loader_round *r, taco__loader_read *reads,
                                   size_t n, const taco_source *src)
{
    size_t i, at = r->bytes.len;
    bool ok = taco__loader_plan_file(l, r, reads, n, src->size);
    for (i = 0; ok && i < n; i++) {
        l->pieces[i].dst = r->bytes.data + at;
        at += l->pieces[i].len;
        /* the buffer may move while the round grows: keep offsets now, set pointers at the end */
        r->items[reads[i].item].bytes = taco__bytes_of(NULL, at - (size_t)reads[i].place.size);
    }
    if (ok && !taco__loader_read_pieces(l->pieces, n, src)) {
        ok = false;
        if (l->err.code == TACO_OK) {
            TACO__FAIL(&l->err, TACO_ERR_IO, TACO_NO_OFFSET, "%s: payloads cannot be read",
                       taco__loader_file_name(l, reads[0].place.file));
        }
    }
    for (i = 0; ok && i < n; i++) {
        ok = taco__loader_check(l, r, reads, i, src);
    }
    return ok;
}

/* Sets pointers to the payloads of the round. */
static void taco__loader_set_pointers(taco_loader *l, taco__loader_round *r)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        taco_loader_item *item = &r->items[l->reads[i].item];
        item->bytes =
            taco__bytes_of(r->bytes.data + item->bytes.len, (size_t)l->reads[i].place.size);
    }
}

/* Reads the payloads of the items of a round. */
static bool taco__loader_read_round(taco_loader *l, taco__loader_round *r)
{
    const taco__loader_place *places = (const taco__loader_place *)(void *)l->places.data;
    size_t i, n;
    bool ok = true, own;
    taco_source src;
    for (i = 0; i < r->count; i++) {
        l->reads[i].place = places[r->items[i].row];
        l->reads[i].item = i;
    }
    r->bytes.len = 0;
    ok = taco__buf_reserve(&r->bytes, 1, &l->err) &&
         taco__sort_in(l->mem, l->reads, r->count, sizeof *l->reads, taco__loader_compare, NULL,
                       &l->err);
    for (i = 0; ok && i < r->count; i += n) {
        for (n = 1; i + n < r->count && l->reads[i + n].place.file == l->reads[i].place.file; n++) {
        }
        if (!taco__loader_open_file(l, l->reads[i].place.file, &src, &own)) { return false; }
        ok = taco__loader_read_file(l, r, l->reads + i, n, &src);
        if (own && src.close) { src.close(src.ctx); }
    }
    if (ok) { taco__loader_set_pointers(l, r); }
    return ok;
}

/* ---- decoding a round ---- */

/* Where item i is decoded to. */
static uint8_t *taco__loader_decoded(const taco_loader *l, const taco__loader_round *r, size_t i)
{
    size_t past = (size_t)((uintptr_t)r->decoded.data % TACO__LOADER_ALIGN);
    return r->decoded.data + (past ? TACO__LOADER_ALIGN - past : 0) + i * l->how.item_bytes;
}

/* A task: decodes one item. */
static void taco__loader_decode(void *arg, size_t i)
{
    taco_loader *l = (taco_loader *)arg;
    taco__loader_round *r = &l->round[l->current];
    uint8_t *out = taco__loader_decoded(l, r, i);
    memset(&r->errors[i], 0, sizeof r->errors[i]);
    memset(out, 0, l->how.item_bytes);
    if (!l->how.decode(l->how.ctx, &r->items[i], out, &r->errors[i]) &&
        r->errors[i].code == TACO_OK) {
        TACO__FAIL(&r->errors[i], TACO_ERR_CORRUPT, TACO_NO_OFFSET, "it could not be decoded");
    }
}

/* Decodes the items of the current round, and reports the first failure. */
static bool taco__loader_decode_round(taco_loader *l, taco__loader_round *r)
{
    size_t i;
    if (!l->how.decode) { return true; }
    taco__tasks_run(&l->ds->options, r->count, taco__loader_decode, l);
    for (i = 0; i < r->count; i++) {
        if (r->errors[i].code != TACO_OK) {
            l->err = r->errors[i];
            taco__error_prefix(&l->err, "sample %u of the order, row %u", r->items[i].at,
                               r->items[i].row);
            return false;
        }
    }
    return true;
}

/* Loads the next round, replacing the older of the two. */
static bool taco__loader_round_load(taco_loader *l)
{
    taco__loader_round *r;
    size_t i;
    l->current ^= 1;
    r = &l->round[l->current];
    r->count = (size_t)TACO__MIN(l->end - l->next, (uint64_t)l->round_items);
    r->given = 0;
    for (i = 0; i < r->count; i++) {
        taco_loader_item *item = &r->items[i];
        item->at = (l->next + i) * l->how.ranks + l->how.rank;
        item->row = l->how.shuffle ? taco_shuffle(l->rows, l->how.seed, item->at) : item->at;
    }
    if (!taco__loader_read_round(l, r) || !taco__loader_decode_round(l, r)) {
        l->failed = true;
        return false;
    }
    l->next += r->count;
    return true;
}

TACO_API bool taco_loader_next(taco_loader *l, taco_loader_batch *out)
{
    taco__loader_round *r;
    memset(out, 0, sizeof *out);
    if (!l || l->failed) { return false; }
    r = &l->round[l->current];
    if (r->given == r->count) {
        if (l->next == l->end || !taco__loader_round_load(l)) { return false; }
        r = &l->round[l->current];
    }
    out->count = TACO__MIN(l->how.batch, r->count - r->given);
    out->items = r->items + r->given;
    out->decoded = l->how.decode ? taco__loader_decoded(l, r, r->given) : NULL;
    r->given += out->count;
    out->next = l->next - (r->count - r->given);
    return true;
}
