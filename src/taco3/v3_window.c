/* v3_window.c - the places of few samples of a large archive, read without those of all others

   In: numbers of samples. Out: where the bytes of their files are. Writers give every sample the
   same rows in the same order, unless it has sequences: in a level of w rows a sample, those of
   sample i are [i * w, (i + 1) * w). They are read, and every one of them is checked: its
   current_id is its number, its parent_id that of the sample or folder, its path that of the file.
   If anything differs, or a table has been decoded several times, v3_places.c looks at all rows.

   What is loaded is replaced by the next load. Start reading at taco__v3_window_load. */
#include "v3.h"

/* Fewest samples for this: tables of fewer are read as a whole, which checks more. */
#ifndef TACO__V3_WINDOW_LEAST
#define TACO__V3_WINDOW_LEAST 16384
#endif
/* Most rows of a sample in a level. */
#define TACO__V3_WINDOW_WIDTH 1024
/* Most rows that are read at a time. */
#define TACO__V3_WINDOW_ROWS 65536
/* A table is not decoded more often than this. */
#define TACO__V3_WINDOW_TIMES 4

TACO__FN void taco__v3_window_free(taco__v3_store *x)
{
    size_t i;
    for (i = 0; x->windows && i < x->contract.level_count; i++) {
        taco__v3_window *w = &x->windows[i];
        if (w->open) { taco__row_reader_close(&w->rows); }
        taco__buf_free(&w->samples);
        taco__buf_free(&w->wanted);
        taco__buf_free(&w->numbers);
        taco__buf_free(&w->places);
    }
}

/* ---- what rows a sample has ---- */

/* Whether a path is `sample`, a slash and `name`. */
static bool taco__v3_window_is_path(taco_bytes path, uint64_t sample, taco_bytes name)
{
    char digits[24];
    size_t n = taco__num_format_u64(digits, sample);
    return path.len == n + 1 + name.len && memcmp(path.data, digits, n) == 0 &&
           path.data[n] == '/' && memcmp(path.data + n + 1, name.data, name.len) == 0;
}

/* The index of a name; TACO__NONE. */
static size_t taco__v3_window_find(const taco__v3_window *w, taco_bytes name)
{
    size_t i;
    for (i = 0; i < w->width && !taco__bytes_equal(w->names[i], name); i++) {}
    return i < w->width ? i : TACO__NONE;
}

/* Learns the names of a sample's rows from those of the first. */
static bool taco__v3_window_read_names(taco__v3_store *x, size_t level, bool *good, taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    taco__v3_table *t = &x->tables[level];
    taco__row_reader rows;
    size_t i;
    w->names = (taco_bytes *)taco__arena_array(x->s->arena, w->width, sizeof *w->names, err);
    if (!w->names || !taco__row_reader_open(&rows, &t->t, &t->path, 1, x->s->mem, err)) {
        return false;
    }
    *good = taco__row_reader_read_range(&rows, 0, w->width, err);
    for (i = 0; *good && i < w->width; i++) {
        taco_bytes b = taco_array_bytes(&rows.arrays[0], i);
        *good = b.len > 2 && memcmp(b.data, "0/", 2) == 0;
        if (*good) {
            b = taco__bytes_of(b.data + 2, b.len - 2);
            w->names[i] = taco__bytes_of(taco__arena_text(x->s->arena, b, err), b.len);
            *good = w->names[i].data != NULL;
        }
    }
    taco__row_reader_close(&rows);
    return true;
}

/* Whether the names are those of the contract, and where the folder is that they are in. */
static bool taco__v3_window_check_names(taco__v3_store *x, size_t level)
{
    taco__v3_window *w = &x->windows[level];
    const taco__v3_level *l = &x->contract.levels[level];
    size_t i;
    for (i = 0; i < x->contract.file_count; i++) {
        const taco__v3_file *f = &x->contract.files[i];
        if (f->level == level &&
            (f->sequence || taco__v3_window_find(w, taco__bytes_text(f->path)) == TACO__NONE)) {
            return false;
        }
    }
    if (!l->parent) { return true; }
    /* "children/before" is the folder "before" */
    w->parent = taco__v3_window_find(&x->windows[l->parent], taco__bytes_text(l->name + 9));
    return x->windows[l->parent].lazy && w->parent != TACO__NONE;
}

/* One level, whose parent has been looked at. */
static bool taco__v3_window_begin_level(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    taco__v3_table *samples = taco__v3_level_table(x, 0, err),
                   *t = samples ? taco__v3_level_table(x, level, err) : NULL;
    uint64_t n = samples ? samples->t.rows : 0;
    bool good = false;
    size_t which[5];
    if (!t || w->tried) { return t != NULL; }
    w->tried = true;
    w->samples.mem = w->wanted.mem = w->numbers.mem = w->places.mem = x->s->mem;
    if (x->s->kind != TACO_KIND_ZIP || x->s->file.src.read_many || !n ||
        n < TACO__V3_WINDOW_LEAST || t->t.rows % n || t->t.rows / n > TACO__V3_WINDOW_WIDTH ||
        !taco__v3_level_is_integer(t, t->current)) {
        return true;
    }
    w->width = (size_t)(t->t.rows / n);
    if (level && w->width && !taco__v3_window_read_names(x, level, &good, err)) { return false; }
    which[0] = t->current;
    which[1] = t->parent;
    which[2] = t->path;
    which[3] = t->offset;
    which[4] = t->size;
    if (level && !(good && taco__v3_window_check_names(x, level))) { return true; }
    w->open = taco__row_reader_open(&w->rows, &t->t, which, level ? 5 : 1, x->s->mem, err);
    w->lazy = w->open;
    return w->open;
}

TACO__FN bool taco__v3_window_begin(taco__v3_store *x, size_t level, taco_error *err)
{
    while (!x->windows[level].tried) {
        size_t l = level;
        while (l && !x->windows[x->contract.levels[l].parent].tried) {
            l = x->contract.levels[l].parent;
        }
        if (!taco__v3_window_begin_level(x, l, err)) { return false; }
    }
    return true;
}

/* ---- loading ---- */

/* Whether an integer of a row is a number. */
static bool taco__v3_window_is(const taco_array *a, size_t i, uint64_t number)
{
    return taco_array_valid(a, i) && (uint64_t)taco_array_int(a, i) == number;
}

/* Checks row i of a batch, which is row k of a sample, and keeps its place. */
static bool taco__v3_window_keep(const taco__v3_store *x, size_t level, size_t i, uint64_t sample,
                                 size_t k, taco__range *out)
{
    const taco__v3_window *w = &x->windows[level];
    const taco_array *a = w->rows.arrays;
    size_t above = x->contract.levels[level].parent;
    uint64_t up = level && above ? sample * x->windows[above].width + w->parent : sample;
    if (!taco__v3_window_is(&a[0], i, sample * w->width + k)) { return false; }
    if (!level) { return true; }
    if (!taco__v3_window_is(&a[1], i, up) || !taco_array_valid(&a[2], i) ||
        !taco__v3_window_is_path(taco_array_bytes(&a[2], i), sample, w->names[k])) {
        return false;
    }
    out->offset = UINT64_MAX;
    if (taco_array_valid(&a[3], i) && taco_array_valid(&a[4], i)) {
        out->offset = (uint64_t)taco_array_int(&a[3], i);
        out->len = (uint64_t)taco_array_int(&a[4], i);
    }
    /* numbers that are too large are for v3_places.c to report */
    return out->offset == UINT64_MAX || (out->offset <= INT64_MAX && out->len <= INT64_MAX);
}

/* Reads the rows of samples [at, at + n) of those wanted; *good: they are where they should be. */
static bool taco__v3_window_read(taco__v3_store *x, size_t level, size_t at, size_t n, bool *good,
                                 taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    const uint32_t *s = (const uint32_t *)(const void *)w->wanted.data + at;
    taco__range *out = level ? (taco__range *)(void *)w->places.data + at * w->width : NULL, none;
    uint64_t base = (uint64_t)s[0] * w->width;
    size_t i, k;
    w->numbers.len = 0;
    for (i = 0; i < n; i++) {
        for (k = 0; k < w->width; k++) {
            uint32_t row = (uint32_t)((uint64_t)s[i] * w->width + k - base);
            if (!taco__buf_append(&w->numbers, &row, sizeof row, err)) { return false; }
        }
    }
    if (!taco__row_reader_read(&w->rows, base, (const uint32_t *)(const void *)w->numbers.data,
                               n * w->width, err)) {
        return false;
    }
    for (i = 0; *good && i < n * w->width; i++) {
        *good =
            taco__v3_window_keep(x, level, i, s[i / w->width], i % w->width, out ? &out[i] : &none);
    }
    return true;
}

/* Counts what reading the rows from `first` to the end of sample `last` decodes. */
static void taco__v3_window_count(taco__v3_store *x, size_t level, uint64_t first, uint64_t last)
{
    taco__v3_window *w = &x->windows[level];
    const taco__pq_metadata *m = &x->tables[level].pq.meta;
    uint64_t from = (uint64_t)m->groups[taco__footer_find_row_group(m, first)].first_row;
    w->decoded += last - (first >= w->rows.next ? TACO__MAX(from, w->rows.next) : from);
    w->lazy = w->decoded / TACO__V3_WINDOW_TIMES <= x->tables[level].t.rows;
}

/* Loads the wanted samples of one level: rows of a row group at a time, so that little is held. */
static bool taco__v3_window_load_level(taco__v3_store *x, size_t level, size_t n, taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    const taco__pq_metadata *m = &x->tables[level].pq.meta;
    const uint32_t *s = (const uint32_t *)(const void *)w->wanted.data;
    size_t at, end, bytes;
    bool good = true;
    w->places.len = 0;
    if (!taco__checked_mul_size(n, w->width * sizeof(taco__range), &bytes) ||
        (level && !taco__buf_reset(&w->places, bytes, err))) {
        return false;
    }
    for (at = 0; good && w->lazy && at < n; at = end) {
        uint64_t first = (uint64_t)s[at] * w->width;
        const taco__pq_row_group *g = &m->groups[taco__footer_find_row_group(m, first)];
        uint64_t stop = (uint64_t)g->first_row + (uint64_t)g->rows;
        for (end = at + 1; end < n && (uint64_t)s[end] * w->width < stop &&
                           (end - at + 1) * w->width <= TACO__V3_WINDOW_ROWS;
             end++) {}
        taco__v3_window_count(x, level, first, ((uint64_t)s[end - 1] + 1) * w->width);
        if (!taco__v3_window_read(x, level, at, end - at, &good, err)) { return false; }
    }
    w->lazy = w->lazy && good;
    return true;
}

/* Notes which samples are wanted; *same: they are loaded. */
static bool taco__v3_window_want(taco__v3_window *w, uint64_t first, const uint32_t *rows, size_t n,
                                 bool *same, taco_error *err)
{
    uint32_t *list;
    size_t i, bytes;
    if (!taco__checked_mul_size(n, sizeof *list, &bytes) ||
        !taco__buf_reset(&w->wanted, bytes, err)) {
        return false;
    }
    list = (uint32_t *)(void *)w->wanted.data;
    w->wanted.len = bytes;
    for (i = 0; i < n; i++) {
        list[i] = (uint32_t)(first + (rows ? rows[i] : i));
    }
    *same = w->samples.len == bytes && (!n || memcmp(w->samples.data, list, bytes) == 0);
    return true;
}

TACO__FN bool taco__v3_window_load(taco__v3_store *x, size_t level, uint64_t first,
                                   const uint32_t *rows, size_t n, taco_error *err)
{
    size_t l = level;
    bool last = false, same;
    while (!last && x->windows[level].lazy) {
        taco__v3_window *w = &x->windows[l];
        taco__buf wanted;
        if (!taco__v3_window_want(w, first, rows, n, &same, err)) { return false; }
        if (!same) {
            w->samples.len = 0;
            if (!taco__v3_window_load_level(x, l, n, err)) { return false; }
            wanted = w->wanted;
            w->wanted = w->samples;
            w->samples = wanted;
        }
        x->windows[level].lazy = x->windows[level].lazy && w->lazy;
        last = l == 0;
        l = last ? 0 : x->contract.levels[l].parent;
    }
    return true;
}

TACO__FN bool taco__v3_window_append(const taco__v3_store *x, size_t file, size_t sample,
                                     taco__buf *out, bool *none, taco_error *err)
{
    const taco__v3_file *f = &x->contract.files[file];
    const taco__v3_window *w = &x->windows[f->level];
    const uint32_t *s = (const uint32_t *)(const void *)w->samples.data;
    size_t i = 0, k = taco__v3_window_find(w, taco__bytes_text(f->path)),
           n = w->samples.len / sizeof *s;
    const taco__range *place;
    TACO__LOWER_BOUND(i, n, at, s[at] < sample);
    if (i == n || s[i] != sample || k == TACO__NONE) { /* never another sample's bytes */
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "%s: the place of sample %u is not loaded",
                   x->s->name, TACO__U(sample));
        return false;
    }
    place = (const taco__range *)(const void *)w->places.data + i * w->width + k;
    *none = place->offset == UINT64_MAX;
    return *none || taco__v3_places_append_range(x, f->level, sample * w->width + k, place->offset,
                                                 place->len, taco__bytes_of(NULL, 0), out, err);
}
