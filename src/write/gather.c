/* ==== ROOM gather: the files of a directory, and tables about them, as datasets. Uses: sheet make ext tiff merge. Spec:
   TACO 2.0 §5, §6 ==== */

#define TACO__SAMPLE_ROWS_TABLES 64
#define TACO__DIR_PARTS_MAX      9999 /* of one name: they have four digits */
#define TACO__SAMPLE_ROWS_NONE   UINT64_MAX

/* Columns that are computed here, of a level that has TIFFs. */
enum {
    TACO__FROM_DIR_CRS,
    TACO__FROM_DIR_SHAPE,
    TACO__FROM_DIR_TRANSFORM,
    TACO__FROM_DIR_CENTROID,
    TACO__FROM_DIR_HEADER,
    TACO__FROM_DIR_COLUMNS /* so many */
};
static const char *const taco__from_dir_column_names[TACO__FROM_DIR_COLUMNS] = {
    "stac:crs", "stac:tensor_shape", "stac:geotransform", "stac:centroid", "taco:header"};

typedef struct taco__sample_rows_table {
    taco_table       *table;
    const taco_batch *rows;
    const taco_field *fields;
    size_t            count, id;              /* columns, and which of them is `id` */
    uint8_t          *used[TACO__MAX_LEVELS]; /* per column: it belongs to the level */
    bool              level[TACO__MAX_LEVELS];
    uint8_t          *seen; /* per row: its sample was met in a directory */
} taco__sample_rows_table;

typedef struct taco__dir_scan_entry { /* of a directory */
    const char *name;
    uint64_t    row;  /* table << 32 | row; NO_ROW: none is about it */
    uint64_t    size; /* of all below, where sizes are wanted */
    uint32_t    set;  /* level 0: the dataset it goes into, as counted in order of first samples */
    uint32_t    near; /* level 0: the group of neighbours; UINT32_MAX: none */
    double      point[2];
    bool        folder, has_point;
    bool        listed; /* as a regular file */
} taco__dir_scan_entry;

typedef struct taco__from_dir {
    const taco_directory_options *how;
    taco_create_options           create;
    taco_options                  options;
    taco_error                   *err;
    taco__mem                     mem;
    taco__arena                   arena;
    taco__sample_rows_table       tables[TACO__SAMPLE_ROWS_TABLES];
    size_t                        table_count;
    uint64_t                     *slots; /* table << 32 | row, plus one, by the hash of the id */
    size_t                        slot_count;
    taco_writer                  *w;
    const char                   *collection;
    size_t                        collection_len;
    taco__buf                     path;                      /* of the file at hand */
    size_t                        root;                      /* length of SOURCE/ in it */
    uint8_t                      *page;                      /* the bytes of a small file */
    bool                          sizes;                     /* are wanted before */
    bool                          tiff[TACO__MAX_LEVELS];    /* has some */
    bool computed[TACO__MAX_LEVELS][TACO__FROM_DIR_COLUMNS]; /* no table has it */
} taco__from_dir;

typedef struct taco__dir_scan_list {
    taco__from_dir       *g;
    taco__dir_scan_entry *entries;
    size_t                count, cap;
    taco__plat_dir        dir; /* for its files, where open is set */
    bool                  open;
} taco__dir_scan_list;

/* ---- rows by the path of their sample ---- */

TACO__FN taco_bytes taco__sample_rows_id(const taco__sample_rows_table *t, size_t row)
{
    return taco_array_bytes(&t->rows->columns[t->id], row);
}
/* The slot of a path: with its row, or where it would go. */
TACO__FN uint64_t *taco__sample_rows_slot(const taco__from_dir *g, taco_bytes id)
{
    size_t at = (size_t)taco__xxh64_hash(0, id.data, id.len) & (g->slot_count - 1);
    while (g->slots[at]) {
        uint64_t x = g->slots[at] - 1;
        if (taco__bytes_equal(taco__sample_rows_id(&g->tables[x >> 32], (size_t)(x & UINT32_MAX)),
                              id)) {
            break;
        }
        at = (at + 1) & (g->slot_count - 1);
    }
    return &g->slots[at];
}
TACO__FN uint32_t taco__sample_rows_level(taco_bytes id)
{
    uint32_t n = 0;
    size_t   i;
    for (i = 0; i < id.len; i++) {
        n += id.data[i] == '/';
    }
    return n;
}
TACO__FN bool taco__sample_rows_add(taco__from_dir *g, size_t number, size_t row, size_t *levels)
{
    taco__sample_rows_table *t = &g->tables[number];
    taco_bytes               id = taco__sample_rows_id(t, row);
    uint64_t                *slot = taco__sample_rows_slot(g, id);
    uint32_t                 level = taco__sample_rows_level(id);
    size_t                   i;
    if (!id.len || level >= TACO__MAX_LEVELS || *slot) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u: id %q %s", TACO__U(row + 1),
                   &id,
                   *slot    ? "has a row before"
                   : id.len ? "lies too deep"
                            : "is empty");
        return false;
    }
    *slot = ((uint64_t)number << 32 | row) + 1;
    if (!t->level[level]) {
        t->used[level] = (uint8_t *)taco__arena_alloc(&g->arena, t->count, g->err);
        t->level[level] = t->used[level] != NULL;
        ++*levels;
    }
    for (i = 0; t->level[level] && i < t->count; i++) {
        t->used[level][i] |= taco_array_valid(&t->rows->columns[i], row);
    }
    return true;
}
/* Levels and columns of a table: where it has rows of several levels, a column is of those where it has values. */
TACO__FN bool taco__sample_rows_add_table(taco__from_dir *g, size_t number)
{
    taco__sample_rows_table *t = &g->tables[number];
    size_t                   row, i, levels = 0;
    uint32_t                 level;
    for (row = 0; row < t->rows->length; row++) {
        if (!taco__sample_rows_add(g, number, row, &levels)) {
            return false;
        }
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; t->level[level] && i < t->count; i++) {
            taco_bytes name = taco__bytes_text(t->fields[i].name);
            t->used[level][i] =
                (levels == 1 || t->used[level][i]) && !taco__rules_is_reserved_column(name);
        }
    }
    t->seen = (uint8_t *)taco__arena_alloc(&g->arena, t->rows->length, g->err);
    return t->seen != NULL;
}
TACO__FN bool taco__sample_rows_open_table(taco__from_dir *g, const char *path)
{
    taco__sample_rows_table *t = &g->tables[g->table_count];
    t->table = taco_table_open(path, &g->options, g->err);
    if (!t->table) {
        return false;
    }
    g->table_count++;
    t->rows = taco_table_rows(t->table);
    t->fields = taco_table_fields(t->table, &t->count);
    t->id = taco__sample_table_find_field(t->fields, t->count, "id");
    if (t->id == t->count || t->fields[t->id].type != TACO_TEXT || t->rows->length > UINT32_MAX) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no column `id` of text");
        taco__error_prefix(g->err, "%s", path);
        return false;
    }
    return true;
}
TACO__FN bool taco__sample_rows_open_tables(taco__from_dir *g)
{
    size_t i, rows = 0;
    if (g->how->table_count > TACO__SAMPLE_ROWS_TABLES) {
        TACO__FAIL(g->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u tables, allowed are %u",
                   TACO__U(g->how->table_count), TACO__U(TACO__SAMPLE_ROWS_TABLES));
        return false;
    }
    for (i = 0; i < g->how->table_count; i++) {
        if (!taco__sample_rows_open_table(g, g->how->tables[i])) {
            return false;
        }
        rows += g->tables[i].rows->length;
    }
    for (g->slot_count = 16; g->slot_count < rows * 2; g->slot_count *= 2) {
    }
    g->slots = (uint64_t *)taco__arena_array(&g->arena, g->slot_count, sizeof *g->slots, g->err);
    for (i = 0; g->slots && i < g->table_count; i++) {
        if (!taco__sample_rows_add_table(g, i)) {
            taco__error_prefix(g->err, "%s", g->how->tables[i]);
            return false;
        }
    }
    return g->slots != NULL;
}
/* A column that a table has for samples of a level; NULL where none has. */
TACO__FN const taco_array *taco__sample_rows_column(const taco__from_dir *g, uint32_t level,
                                                    const char *name, size_t *table)
{
    size_t i, k;
    for (i = 0; i < g->table_count; i++) {
        const taco__sample_rows_table *t = &g->tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            if (t->used[level][k] && strcmp(t->fields[k].name, name) == 0) {
                *table = i;
                return &t->rows->columns[k];
            }
        }
    }
    return NULL;
}

/* ---- the directory ---- */

TACO__FN bool taco__dir_scan_add(void *ctx, const char *name, taco__path_kind kind)
{
    taco__dir_scan_list  *l = (taco__dir_scan_list *)ctx;
    taco__dir_scan_entry *e;
    if (l->count == l->cap) {
        size_t                cap = l->cap ? l->cap * 2 : 16;
        taco__dir_scan_entry *grown = (taco__dir_scan_entry *)taco__mem_resize(
            &l->g->mem, l->entries, l->cap * sizeof *grown, cap * sizeof *grown, l->g->err);
        if (!grown) {
            return false;
        }
        l->entries = grown;
        l->cap = cap;
    }
    e = &l->entries[l->count++];
    memset(e, 0, sizeof *e);
    e->near = UINT32_MAX;
    e->name = taco__arena_text(&l->g->arena, taco__bytes_text(name), l->g->err);
    e->folder = kind == TACO__PATH_DIRECTORY;
    e->listed = kind == TACO__PATH_FILE;
    e->row = kind == TACO__PATH_MISSING; /* for now: the kind is not known */
    return e->name != NULL;
}
/* By their rows, others behind them by name. */
TACO__FN int taco__dir_scan_compare(const void *a, const void *b)
{
    const taco__dir_scan_entry *x = (const taco__dir_scan_entry *)a,
                               *y = (const taco__dir_scan_entry *)b;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : strcmp(x->name, y->name);
}
/* Many file systems list a directory as it was filled, or the other way round. */
TACO__FN void taco__dir_scan_sort(taco__dir_scan_entry *e, size_t n)
{
    size_t up = 1, down = 1, i;
    while (up < n && taco__dir_scan_compare(&e[up - 1], &e[up]) < 0) {
        up++;
    }
    while (up == 1 && down < n && taco__dir_scan_compare(&e[down - 1], &e[down]) > 0) {
        down++;
    }
    if (n > 1 && down == n) {
        for (i = 0; i < n / 2; i++) {
            taco__dir_scan_entry x = e[i];
            e[i] = e[n - 1 - i];
            e[n - 1 - i] = x;
        }
    } else if (up < n) {
        qsort(e, n, sizeof *e, taco__dir_scan_compare);
    }
}
/* Puts a name behind the directory whose path has the length given; with a zero byte. */
TACO__FN const char *taco__dir_scan_path(taco__from_dir *g, size_t dir, const char *name)
{
    g->path.len = dir;
    return taco__buf_append(&g->path, name, strlen(name) + 1, g->err) ? (const char *)g->path.data
                                                                      : NULL;
}
/* The length of the path of a directory's content; 0 on failure. */
TACO__FN size_t taco__dir_scan_enter(taco__from_dir *g, size_t dir, const char *name)
{
    if (!taco__dir_scan_path(g, dir, name)) {
        return 0;
    }
    g->path.data[g->path.len - 1] = '/';
    return g->path.len;
}
TACO__FN void taco__dir_scan_free(taco__dir_scan_list *l)
{
    taco__mem_free(&l->g->mem, l->entries, l->cap * sizeof *l->entries);
    l->entries = NULL;
    l->count = l->cap = 0;
    if (l->open) {
        taco__dir_close(&l->dir);
        l->open = false;
    }
}
/* What is in the directory that the first dir bytes of the path name (a '/' at their end), in order. */
TACO__FN bool taco__dir_scan_read(taco__from_dir *g, size_t dir, taco__dir_scan_list *l)
{
    size_t     i;
    uint64_t   size = 0;
    taco_bytes name;
    memset(l, 0, sizeof *l);
    l->g = g;
    g->path.len = dir;
    if (!taco__buf_append_char(&g->path, 0, g->err) ||
        !taco__plat_list_dir((const char *)g->path.data, taco__dir_scan_add, l)) {
        name = taco__bytes_of(g->path.data, dir);
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the directory cannot be read: %q",
                   &name);
        taco__dir_scan_free(l);
        return false;
    }
    l->open = !g->options.open_file && taco__dir_open(&l->dir, (const char *)g->path.data);
    for (i = 0; i < l->count; i++) {
        taco__dir_scan_entry *e = &l->entries[i];
        const char           *path;
        uint64_t              x;
        if (!e->row && !g->table_count && !g->sizes) {
            e->row = TACO__SAMPLE_ROWS_NONE;
            continue;
        }
        path = taco__dir_scan_path(g, dir, e->name);
        if (!path) {
            taco__dir_scan_free(l);
            return false;
        }
        if (e->row || (g->sizes && !e->folder)) {
            e->folder = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
            e->size = e->folder ? 0 : size;
        }
        x = *taco__sample_rows_slot(
            g, taco__bytes_of(g->path.data + g->root, g->path.len - 1 - g->root));
        e->row = x ? x - 1 : TACO__SAMPLE_ROWS_NONE;
        if (x) {
            g->tables[e->row >> 32].seen[(size_t)(e->row & UINT32_MAX)] = 1;
        }
    }
    taco__dir_scan_sort(l->entries, l->count);
    return true;
}
/* Bytes of everything below an entry. */
TACO__FN bool taco__dir_scan_sum_sizes(taco__from_dir *g, size_t dir, taco__dir_scan_entry *e,
                                       unsigned depth)
{
    taco__dir_scan_list l;
    size_t              i, below;
    bool                ok = true;
    if (!e->folder || depth >= TACO__MAX_LEVELS) { /* writing will tell what lies too deep */
        return true;
    }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) {
        return false;
    }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_scan_sum_sizes(g, below, &l.entries[i], depth + 1);
        e->size += l.entries[i].size;
    }
    taco__dir_scan_free(&l);
    return ok;
}
/* Every row is about something that is there; the entries of SOURCE have been seen. */
TACO__FN bool taco__dir_scan_check_rows(taco__from_dir *g)
{
    size_t i, row;
    for (i = 0; i < g->table_count; i++) {
        for (row = 0; row < g->tables[i].rows->length; row++) {
            taco_bytes id = taco__sample_rows_id(&g->tables[i], row);
            uint64_t   size;
            if (g->tables[i].seen[row]) {
                continue;
            }
            g->path.len = g->root;
            if (!taco__buf_append(&g->path, id.data, id.len, g->err) ||
                !taco__buf_append_char(&g->path, 0, g->err)) {
                return false;
            }
            if (taco__plat_stat((const char *)g->path.data, &size) == TACO__PATH_MISSING) {
                TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                           "%s: row %u: there is no %q in the source", g->how->tables[i],
                           TACO__U(row + 1), &id);
                return false;
            }
        }
    }
    return true;
}

/* ---- TIFFs ---- */

TACO__FN bool taco__dir_values_is_tiff(const taco__dir_scan_entry *e)
{
    return !e->folder && (taco__sample_table_has_suffix(e->name, ".tif") ||
                          taco__sample_table_has_suffix(e->name, ".tiff") ||
                          taco__sample_table_has_suffix(e->name, ".TIF") ||
                          taco__sample_table_has_suffix(e->name, ".TIFF"));
}
/* Which levels have TIFFs, told by the first sample: all are alike (PIT-1). */
TACO__FN bool taco__dir_values_find_tiffs(taco__from_dir *g, size_t dir,
                                          const taco__dir_scan_entry *e, uint32_t level)
{
    taco__dir_scan_list l;
    size_t              i, below;
    bool                ok = true;
    g->tiff[level] = g->tiff[level] || taco__dir_values_is_tiff(e);
    if (!e->folder || level + 1 >= TACO__MAX_LEVELS) {
        return true;
    }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) {
        return false;
    }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_values_find_tiffs(g, below, &l.entries[i], level + 1);
    }
    taco__dir_scan_free(&l);
    return ok;
}
TACO__FN taco_tiff *taco__dir_values_open_tiff(taco__from_dir *g, const char *path, taco_error *err)
{
    taco_source src;
    taco_tiff  *t = NULL;
    if (taco__source_open_path(&g->options, path, &src, err)) {
        t = taco_tiff_open(&src, path, &g->options, err);
        if (src.close) {
            src.close(src.ctx);
        }
    }
    return t;
}
/* What is not there stays null, with a warning. */
TACO__FN void taco__dir_values_warn(const taco__from_dir *g, const taco_error *why)
{
    if (g->options.warn && why->code != TACO_OK) {
        g->options.warn(g->options.warn_ctx, why);
    }
}
/* The columns computed of one sample; all null where it is no TIFF (path NULL). */
TACO__FN bool taco__dir_values_set_tiff(taco__from_dir *g, uint32_t level, const char *path)
{
    const bool *has = g->computed[level];
    taco_tiff  *t = path ? taco__dir_values_open_tiff(g, path, g->err) : NULL;
    taco_stac   s;
    taco_error  why = {0, TACO_OK, 0, {0}};
    double      xy[2];
    uint8_t     point[21];
    bool        placed = t && taco_stac_tiff(t, &s, &why) == TACO_OK, centre;
    taco_bytes  header = {NULL, 0};
    if (path && !t) {
        return false;
    }
    centre = placed && taco_stac_centroid(&s, xy, &why) == TACO_OK;
    if (path && has[TACO__FROM_DIR_CRS]) {
        taco__dir_values_warn(g, &why);
    }
    if (has[TACO__FROM_DIR_CRS]) {
        taco_writer_set_text(g->w, taco__from_dir_column_names[TACO__FROM_DIR_CRS],
                             placed ? s.crs : NULL);
    }
    if (has[TACO__FROM_DIR_SHAPE]) {
        t ? taco_writer_set_ints(g->w, taco__from_dir_column_names[TACO__FROM_DIR_SHAPE],
                                 taco_tiff_get(t)->shape, 3)
          : taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_SHAPE]);
    }
    if (has[TACO__FROM_DIR_TRANSFORM]) {
        placed ? taco_writer_set_doubles(
                     g->w, taco__from_dir_column_names[TACO__FROM_DIR_TRANSFORM], s.geotransform, 6)
               : taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_TRANSFORM]);
    }
    if (has[TACO__FROM_DIR_CENTROID]) {
        if (centre) {
            taco__extension_write_wkb_point(xy, point);
        }
        centre ? taco_writer_set_bytes(g->w, taco__from_dir_column_names[TACO__FROM_DIR_CENTROID],
                                       point, sizeof point)
               : taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_CENTROID]);
    }
    if (has[TACO__FROM_DIR_HEADER]) {
        header = t ? taco_tacotiff_header(t, g->err) : header;
        header.data
            ? taco_writer_set_bytes(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER],
                                    header.data, header.len)
            : taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER]);
    }
    taco_tiff_close(t);
    return g->err->code == TACO_OK;
}

/* ---- places of the samples of level 0 ---- */

TACO__FN bool taco__dir_values_parse_wkb_point(taco_bytes wkb, double out[2])
{
    double box[4];
    bool   empty = true;
    if (!wkb.len || taco__wkb_bounds(wkb, box, &empty, NULL) != TACO_OK || empty ||
        box[0] < box[2] || box[1] < box[3]) {
        return false; /* no point */
    }
    out[0] = box[0];
    out[1] = box[1];
    return true;
}
/* From the tables' stac:centroid, else istac:centroid, else, where they are read, the TIFFs. */
TACO__FN bool taco__dir_values_find_points(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t            i, table = 0;
    const taco_array *a = taco__sample_rows_column(g, 0, "stac:centroid", &table);
    bool              any = false;
    a = a ? a : taco__sample_rows_column(g, 0, "istac:centroid", &table);
    for (i = 0; i < l->count; i++) {
        taco__dir_scan_entry *e = &l->entries[i];
        if (a) {
            e->has_point = e->row != TACO__SAMPLE_ROWS_NONE && e->row >> 32 == table &&
                           taco__dir_values_parse_wkb_point(
                               taco_array_bytes(a, (size_t)(e->row & UINT32_MAX)), e->point);
        } else if (g->how->tiff && taco__dir_values_is_tiff(e)) {
            const char *path = taco__dir_scan_path(g, g->root, e->name);
            taco_tiff  *t = path ? taco__dir_values_open_tiff(g, path, g->err) : NULL;
            taco_stac   s;
            if (!t) {
                return false;
            }
            e->has_point = taco_stac_tiff(t, &s, NULL) == TACO_OK &&
                           taco_stac_centroid(&s, e->point, NULL) == TACO_OK;
            taco_tiff_close(t);
        }
        any = any || e->has_point;
    }
    if (!any) {
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no sample of level 0 has a point in stac:centroid or istac:centroid");
    }
    return any;
}
TACO__FN bool taco__dir_values_group_neighbours(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t    n = l->count, i;
    double   *points = (double *)taco__arena_array(&g->arena, 2 * n, sizeof *points, g->err);
    uint64_t *sizes = (uint64_t *)taco__arena_array(&g->arena, n, sizeof *sizes, g->err);
    uint32_t *groups = (uint32_t *)taco__arena_array(&g->arena, n, sizeof *groups, g->err);
    bool      ok = points && sizes && groups;
    for (i = 0; ok && i < n; i++) {
        const taco__dir_scan_entry *e = &l->entries[i];
        points[2 * i] =
            e->has_point ? e->point[0] : taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
        points[2 * i + 1] = e->point[1];
        sizes[i] = e->size;
    }
    ok = ok && taco_spatial_groups(points, sizes, n, g->how->near_count, g->how->near_size, groups,
                                   g->err) == TACO_OK;
    for (i = 0; ok && i < n; i++) {
        l->entries[i].near = groups[i];
    }
    return ok;
}
TACO__FN bool taco__dir_values_needs_points(const taco__from_dir *g)
{
    return g->how->near_count || g->how->near_size || g->how->grid_km > 0 || g->how->grid_km < 0;
}

/* ---- columns and samples into a writer ---- */

/* Every level's columns: from all tables that have rows of it, then those that are computed. */
TACO__FN void taco__from_dir_declare_columns(taco__from_dir *g)
{
    static const taco_type types[TACO__FROM_DIR_COLUMNS] = {TACO_TEXT, TACO_INT64, TACO_DOUBLE,
                                                            TACO_BINARY, TACO_BINARY};
    uint32_t               level;
    size_t                 i, k;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < g->table_count; i++) {
            const taco__sample_rows_table *t = &g->tables[i];
            for (k = 0; t->level[level] && k < t->count; k++) {
                if (t->used[level][k]) {
                    taco_writer_field(g->w, level, &t->fields[k]);
                }
            }
        }
        for (k = 0; k < TACO__FROM_DIR_COLUMNS; k++) {
            if (g->computed[level][k] &&
                (k == TACO__FROM_DIR_SHAPE || k == TACO__FROM_DIR_TRANSFORM)) {
                taco_writer_list(g->w, level, taco__from_dir_column_names[k], types[k]);
            } else if (g->computed[level][k]) {
                taco_writer_column(g->w, level, taco__from_dir_column_names[k], types[k]);
            }
        }
    }
    if (g->how->grid_km > 0) {
        taco_writer_column(g->w, 0, "majortom:code", TACO_TEXT);
    }
    if (g->how->near_count || g->how->near_size) {
        taco_writer_column(g->w, 0, "spatialgroup:code", TACO_TEXT);
    }
}
/* The code of a group of neighbours, as the reference names it. */
TACO__FN const char *taco__dir_values_group_code(uint32_t group, char out[16])
{
    char *p = out;
    memcpy(p, "sg", 2);
    p = taco__spatial_write_digits(p + 2, group);
    *p = 0;
    return out;
}
TACO__FN bool taco__dir_values_set_places(taco__from_dir *g, const taco__dir_scan_entry *e)
{
    char code[48], near[16];
    if (g->how->grid_km > 0) {
        if (e->has_point &&
            taco_majortom(g->how->grid_km, e->point[0], e->point[1], code, g->err) != TACO_OK) {
            return false;
        }
        taco_writer_set_text(g->w, "majortom:code", e->has_point ? code : NULL);
    }
    if (g->how->near_count || g->how->near_size) {
        taco_writer_set_text(g->w, "spatialgroup:code",
                             e->near == UINT32_MAX ? NULL
                                                   : taco__dir_values_group_code(e->near, near));
    }
    return true;
}
/* The values of a sample: of its row, and computed ones. */
TACO__FN bool taco__dir_values_set(taco__from_dir *g, uint32_t level, size_t dir,
                                   const taco__dir_scan_entry *e)
{
    size_t k;
    if (e->row != TACO__SAMPLE_ROWS_NONE) {
        const taco__sample_rows_table *t = &g->tables[e->row >> 32];
        for (k = 0; k < t->count; k++) {
            if (t->used[level][k]) {
                taco_writer_set_array(g->w, t->fields[k].name, &t->rows->columns[k],
                                      (size_t)(e->row & UINT32_MAX));
            }
        }
    }
    if (g->tiff[level]) {
        bool        tiff = taco__dir_values_is_tiff(e);
        const char *path = tiff ? taco__dir_scan_path(g, dir, e->name) : NULL;
        if ((tiff && !path) || !taco__dir_values_set_tiff(g, level, path)) {
            return false;
        }
    }
    return level != 0 || taco__dir_values_set_places(g, e);
}
/* A file goes into the writer: by its name in the directory, or, where there is something to be said of it, by its path,
   the first dir bytes of which are the directory's. */
TACO__FN bool taco__from_dir_add_file(taco__from_dir *g, taco__dir_scan_list *l, size_t dir,
                                      const taco__dir_scan_entry *e)
{
    taco__input in;
    const char *path;
    if (l->open && e->listed && taco__input_open_listed(&in, &l->dir, e->name, g->page)) {
        return taco__dataset_writer_add_file(g->w, e->name, &in) == TACO_OK;
    }
    path = taco__dir_scan_path(g, dir, e->name);
    return path && taco_writer_file(g->w, e->name, path) == TACO_OK;
}
/* Adds an entry of a list, the one of the directory that the first dir bytes of the path name. */
TACO__FN bool taco__from_dir_add(taco__from_dir *g, taco__dir_scan_list *in, size_t dir,
                                 uint32_t level, const taco__dir_scan_entry *e)
{
    taco__dir_scan_list l;
    size_t              below, i;
    bool                ok;
    if (!e->folder) {
        return taco__from_dir_add_file(g, in, dir, e) && taco__dir_values_set(g, level, dir, e);
    }
    taco_writer_folder_begin(g->w, e->name);
    ok = taco__dir_values_set(g, level, dir, e);
    below = ok && level + 1 < TACO__MAX_LEVELS ? taco__dir_scan_enter(g, dir, e->name) : 0;
    ok = below && taco__dir_scan_read(g, below, &l);
    if (ok) {
        for (i = 0; ok && i < l.count; i++) {
            ok = taco__from_dir_add(g, &l, below, level + 1, &l.entries[i]);
        }
        taco__dir_scan_free(&l);
    }
    return taco_writer_folder_end(g->w) == TACO_OK && ok;
}

/* ---- datasets: one, parts, groups ---- */

/* A white space of Unicode, as Python's \s has them, in UTF-8; its length, or 0. */
TACO__FN size_t taco__dir_parts_space_length(const uint8_t *p, size_t n)
{
    uint32_t c = n ? p[0] : 'x';
    if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F)) {
        return 1;
    }
    if (n >= 2 && c == 0xC2) {
        return p[1] == 0x85 || p[1] == 0xA0 ? 2 : 0;
    }
    if (n < 3 || c < 0xE1 || c > 0xE3) {
        return 0;
    }
    c = (c & 15) << 12 | (uint32_t)(p[1] & 63) << 6 | (p[2] & 63);
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
                   c == 0x202F || c == 0x205F || c == 0x3000
               ? 3
               : 0;
}
/* Makes a name for a file of a group's values: what file systems refuse, white space and '_' become one '_'; none at the
   ends. */
TACO__FN bool taco__dir_parts_file_name(taco_bytes key, taco__buf *out, taco_error *err)
{
    size_t i = 0, from = out->len;
    while (i < key.len) {
        uint8_t c = key.data[i];
        size_t  n = taco__dir_parts_space_length(key.data + i, key.len - i);
        bool    gap = n || c == '_' || (c && c < 0x80 && strchr("/\\:*?\"<>|'", c) != NULL);
        if (gap && (out->len == from || out->data[out->len - 1] == '_')) {
            i += n ? n : 1;
            continue;
        }
        if (!taco__buf_append_char(out, gap ? '_' : (char)c, err)) {
            return false;
        }
        i += gap && n ? n : 1;
    }
    while (out->len > from && out->data[out->len - 1] == '_') {
        out->len--;
    }
    return true;
}
/* A value as Python's str() writes it. */
TACO__FN bool taco__dir_parts_append_value(const taco_array *a, size_t row, taco__buf *out,
                                           taco_error *err)
{
    size_t begin = out->len, i;
    bool   null = false;
    if (!a || !taco_array_valid(a, row)) {
        return taco__buf_append_text(out, "None", err);
    }
    if (a->field->type == TACO_BOOL) {
        return taco__buf_append_text(out, taco_array_int(a, row) ? "True" : "False", err);
    }
    if (!taco__cell_bare(out, a, row, &null, err)) {
        return false;
    }
    if (a->field->type ==
        TACO_TIMESTAMP) { /* 2020-01-01T00:00:00.000000Z -> 2020-01-01 00:00:00+00:00 */
        bool utc = out->data[out->len - 1] == 'Z';
        out->len -= utc;
        for (i = begin; i < out->len; i++) {
            if (out->data[i] == 'T') {
                out->data[i] = ' ';
            }
            if (out->data[i] == '.' &&
                memcmp(out->data + i, ".000000", TACO__MIN(out->len - i, 7)) == 0) {
                out->len = i;
            }
        }
        return !utc || taco__buf_append_text(out, "+00:00", err);
    }
    return true;
}
TACO__FN bool taco__dir_parts_append_key(taco__from_dir *g, const taco__dir_scan_entry *e,
                                         taco__buf *out)
{
    char   text[48];
    size_t i;
    out->len = 0;
    for (i = 0; i < g->how->group_by_count; i++) {
        const char       *name = g->how->group_by[i];
        size_t            table = 0;
        const taco_array *a = taco__sample_rows_column(g, 0, name, &table);
        bool              here = a && e->row != TACO__SAMPLE_ROWS_NONE && e->row >> 32 == table, ok;
        if (i && !taco__buf_append_char(out, '_', g->err)) {
            return false;
        }
        if (!a && strcmp(name, "spatialgroup:code") == 0 &&
            (g->how->near_count || g->how->near_size)) {
            ok = taco__buf_append_text(
                out, e->near == UINT32_MAX ? "None" : taco__dir_values_group_code(e->near, text),
                g->err);
        } else if (!a && strcmp(name, "majortom:code") == 0 && g->how->grid_km > 0) {
            ok = (!e->has_point || taco_majortom(g->how->grid_km, e->point[0], e->point[1], text,
                                                 g->err) == TACO_OK) &&
                 taco__buf_append_text(out, e->has_point ? text : "None", g->err);
        } else if (!a && strcmp(name, "id") == 0) {
            ok = taco__buf_append_text(out, e->name, g->err);
        } else if (!a) {
            taco_bytes b = taco__bytes_text(name);
            TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no table has a column %q of samples of level 0 to group by", &b);
            return false;
        } else {
            ok = taco__dir_parts_append_value(
                here ? a : NULL, here ? (size_t)(e->row & UINT32_MAX) : 0, out, g->err);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}
/* Gives every sample the number of its group, in the order of their first samples; *count of them, whose keys are
   keys[group]. */
TACO__FN bool taco__dir_parts_assign_groups(taco__from_dir *g, taco__dir_scan_list *l,
                                            taco_bytes **keys, size_t *count)
{
    size_t    slots = 16, n = 0, i, at;
    uint32_t *slot;
    taco__buf key;
    bool      ok;
    memset(&key, 0, sizeof key);
    key.mem = &g->mem;
    while (slots < l->count * 2) {
        slots *= 2;
    }
    slot = (uint32_t *)taco__arena_array(&g->arena, slots, sizeof *slot, g->err);
    *keys = (taco_bytes *)taco__arena_array(&g->arena, l->count, sizeof **keys, g->err);
    ok = slot && *keys;
    for (i = 0; ok && i < l->count; i++) {
        taco_bytes b;
        ok = taco__dir_parts_append_key(g, &l->entries[i], &key);
        if (!ok) {
            break;
        }
        b = taco__bytes_of(key.data, key.len);
        at = (size_t)taco__xxh64_hash(0, b.data, b.len) & (slots - 1);
        while (slot[at] && !taco__bytes_equal((*keys)[slot[at] - 1], b)) {
            at = (at + 1) & (slots - 1);
        }
        if (!slot[at]) {
            const char *copy = taco__arena_text(&g->arena, b, g->err);
            ok = copy != NULL;
            (*keys)[n] = taco__bytes_of(copy, b.len);
            slot[at] = (uint32_t)++n;
        }
        l->entries[i].set = slot[at] - 1;
    }
    *count = n;
    taco__buf_free(&key);
    return ok;
}
/* Samples of a group behind each other, in their order. */
TACO__FN int taco__dir_parts_compare_groups(const void *a, const void *b)
{
    const taco__dir_scan_entry *x = (const taco__dir_scan_entry *)a,
                               *y = (const taco__dir_scan_entry *)b;
    return x->set != y->set ? (x->set < y->set ? -1 : 1) : taco__dir_scan_compare(a, b);
}
/* target with more before its ending: "out_north_part0001.tacozip". part 0: none. */
TACO__FN const char *taco__dir_parts_target(taco__from_dir *g, const char *target,
                                            const taco_bytes *key, size_t part)
{
    const char *dot = strrchr(target, '.'), *slash = strrchr(target, '/');
    size_t      n = dot && dot > target && (!slash || dot > slash + 1) ? (size_t)(dot - target)
                                                                       : strlen(target);
    taco__buf   b;
    const char *out = NULL;
    char        digits[24];
    bool        ok;
    memset(&b, 0, sizeof b);
    b.mem = &g->mem;
    ok = taco__buf_append(&b, target, n, g->err) &&
         (!key ||
          (taco__buf_append_char(&b, '_', g->err) && taco__dir_parts_file_name(*key, &b, g->err)));
    if (ok && part) {
        *taco__spatial_write_digits(digits, (int64_t)part) = 0;
        ok =
            taco__buf_append_text(&b, "_part", g->err) && taco__buf_append_text(&b, digits, g->err);
    }
    ok = ok && taco__buf_append_text(&b, target + n, g->err);
    if (ok) {
        out = taco__arena_text(&g->arena, taco__bytes_of(b.data, b.len), g->err);
    }
    taco__buf_free(&b);
    return out;
}
typedef struct taco__dir_parts_part {
    const char *name;
    size_t      first, count;
} taco__dir_parts_part;

/* The parts of samples first to end, as the reference cuts them: the next begins where one more would be too much. */
TACO__FN bool taco__dir_parts_cut(taco__from_dir *g, taco__dir_scan_list *l, size_t first,
                                  size_t end, const char *target, const taco_bytes *key,
                                  taco__dir_parts_part *parts, size_t *count)
{
    uint64_t most = g->how->split_size ? g->how->split_size : UINT64_MAX;
    size_t   from = *count, at = first, i;
    while (at < end) {
        size_t   to = at + 1;
        uint64_t sum = l->entries[at].size;
        while (to < end && sum <= most && l->entries[to].size <= most - sum) {
            sum += l->entries[to++].size;
        }
        parts[*count].first = at;
        parts[(*count)++].count = to - at;
        at = to;
    }
    if (*count - from > TACO__DIR_PARTS_MAX) {
        TACO__FAIL(g->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u parts, allowed are %u: they are too small", TACO__U(*count - from),
                   TACO__U(TACO__DIR_PARTS_MAX));
        return false;
    }
    for (i = from; i < *count; i++) {
        parts[i].name =
            taco__dir_parts_target(g, target, key, *count - from > 1 ? i - from + 1 : 0);
        if (!parts[i].name) {
            return false;
        }
    }
    return true;
}
TACO__FN int taco__dir_parts_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
/* No two datasets of one name, and nothing there that would stand in the way later. */
TACO__FN bool taco__dir_parts_check_free(taco__from_dir *g, const taco__dir_parts_part *parts,
                                         size_t n, const char *catalogue)
{
    const char **names = (const char **)taco__arena_array(&g->arena, n, sizeof *names, g->err);
    uint64_t     size;
    size_t       i;
    for (i = 0; names && i < n; i++) {
        names[i] = parts[i].name;
        if (!g->create.overwrite && taco__plat_stat(names[i], &size) != TACO__PATH_MISSING) {
            TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s exists already", names[i]);
            return false;
        }
    }
    if (catalogue && taco__plat_stat(catalogue, &size) != TACO__PATH_MISSING) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s exists already: the parts would have no catalogue", catalogue);
        return false;
    }
    if (!names) {
        return false;
    }
    qsort((void *)names, n, sizeof *names, taco__dir_parts_compare_names);
    for (i = 1; i < n; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "two groups would both be %s",
                       names[i]);
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__from_dir_write(taco__from_dir *g, taco__dir_scan_list *l,
                                   const taco__dir_parts_part *p)
{
    size_t i;
    bool   ok = true;
    g->w = taco_create(p->name, &g->create, g->err);
    if (!g->w) {
        return false;
    }
    taco_writer_collection(g->w, g->collection, g->collection_len);
    taco__from_dir_declare_columns(g);
    for (i = 0; ok && i < p->count; i++) {
        ok = taco__from_dir_add(g, l, g->root, 0, &l->entries[p->first + i]);
    }
    if (ok || g->err->code == TACO_OK) { /* what the writer failed at, finishing tells */
        return taco_writer_finish(g->w, g->err) == TACO_OK;
    }
    taco_writer_abort(g->w);
    return false;
}
TACO__FN void taco__from_dir_remove(taco__from_dir *g, const char *path)
{
#ifndef TACO_NO_STDIO
    uint64_t size;
    if (taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY) {
        taco__dir_remove_tree(path, &g->mem);
    } else {
        remove(path);
    }
#else
    (void)g;
    (void)path;
#endif
}
/* ".tacocat" beside the parts; NULL without memory. */
TACO__FN const char *taco__from_dir_catalogue_path(taco__from_dir *g, const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t      n = slash ? (size_t)(slash - target) + 1 : 0;
    char       *out = (char *)taco__arena_alloc(&g->arena, n + 16, g->err);
    if (out) {
        memcpy(out, target, n);
        memcpy(out + n, ".tacocat", 9);
    }
    return out;
}
/* The catalogue of what was made. */
TACO__FN bool taco__from_dir_write_catalogue(taco__from_dir *g, const taco__dir_parts_part *parts,
                                             size_t n, const char *catalogue)
{
    taco_merge_options m;
    const char **names = (const char **)taco__arena_array(&g->arena, n, sizeof *names, g->err);
    size_t       i;
    memset(&m, 0, sizeof m);
    m.options = &g->options;
    m.unchecked = true; /* they were made a moment ago */
    m.codec = g->create.codec;
    m.level = g->create.level;
    m.row_group_rows = g->create.row_group_rows;
    for (i = 0; names && i < n; i++) {
        names[i] = parts[i].name;
    }
    if (!names || taco_create_tacocat(catalogue, names, n, &m, g->err) != TACO_OK) {
        taco__error_prefix(g->err, "the archives are made, their catalogue is not");
        return false;
    }
    return true;
}
TACO__FN bool taco__from_dir_write_all(taco__from_dir *g, taco__dir_scan_list *l,
                                       const char *target)
{
    taco__dir_parts_part *parts =
        (taco__dir_parts_part *)taco__arena_array(&g->arena, l->count, sizeof *parts, g->err);
    const char *catalogue = NULL;
    taco_bytes *keys = NULL;
    size_t      groups = 1, at = 0, count = 0, i;
    bool        ok = parts != NULL;
    if (ok && g->how->group_by_count) {
        ok = taco__dir_parts_assign_groups(g, l, &keys, &groups);
        if (ok && l->count) {
            qsort(l->entries, l->count, sizeof *l->entries, taco__dir_parts_compare_groups);
        }
    }
    for (i = 0; ok && i < groups; i++) {
        size_t end = at;
        while (end < l->count && l->entries[end].set == i) {
            end++;
        }
        ok = taco__dir_parts_cut(g, l, at, end, target, keys ? &keys[i] : NULL, parts, &count);
        at = end;
    }
    if (ok && count > 1 && !g->how->no_catalogue &&
        taco__container_write_is_zip(target, g->create.container)) {
        catalogue = taco__from_dir_catalogue_path(g, target);
        ok = catalogue != NULL;
    }
    ok = ok && (count == 1 || taco__dir_parts_check_free(g, parts, count, catalogue));
    g->create.new_extent = g->create.new_extent || count > 1;
    for (i = 0; ok && i < count; i++) {
        ok = taco__from_dir_write(g, l, &parts[i]);
        if (!ok) { /* all, or none */
            while (i > 0) {
                taco__from_dir_remove(g, parts[--i].name);
            }
        }
    }
    for (i = 0; ok && g->how->made && i < count; i++) {
        g->how->made(g->how->made_ctx, parts[i].name);
    }
    ok = ok && (!catalogue || taco__from_dir_write_catalogue(g, parts, count, catalogue));
    if (ok && catalogue && g->how->made) {
        g->how->made(g->how->made_ctx, catalogue);
    }
    return ok;
}

/* ---- public ---- */

TACO__FN bool taco__from_dir_prepare(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t   i, table;
    uint32_t level;
    if (l->count == 0) {
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the directory is empty");
        return false;
    }
    for (i = 0; g->sizes && i < l->count; i++) {
        if (!taco__dir_scan_sum_sizes(g, g->root, &l->entries[i], 0)) {
            return false;
        }
    }
    if ((g->how->tiff || g->how->tacotiff) &&
        !taco__dir_values_find_tiffs(g, g->root, &l->entries[0], 0)) {
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; g->tiff[level] && i < TACO__FROM_DIR_COLUMNS; i++) {
            g->computed[level][i] =
                (i == TACO__FROM_DIR_HEADER ? g->how->tacotiff : g->how->tiff) &&
                !taco__sample_rows_column(g, level, taco__from_dir_column_names[i], &table);
        }
    }
    if (taco__dir_values_needs_points(g) && !taco__dir_values_find_points(g, l)) {
        return false;
    }
    return !(g->how->near_count || g->how->near_size) || taco__dir_values_group_neighbours(g, l);
}
TACO__FN bool taco__from_dir_run(taco__from_dir *g, const char *target, const char *source)
{
    taco__dir_scan_list l;
    size_t              n = strlen(source);
    bool                ok;
    if (!taco__sample_rows_open_tables(g) || !taco__buf_append(&g->path, source, n, g->err) ||
        !((n && source[n - 1] == '/') || taco__buf_append_char(&g->path, '/', g->err))) {
        return false;
    }
    g->root = g->path.len;
    g->page = (uint8_t *)taco__arena_alloc(&g->arena, TACO__PLAT_PAGE, g->err);
    if (!g->page || !taco__dir_scan_read(g, g->root, &l)) {
        return false;
    }
    ok = taco__dir_scan_check_rows(g) && taco__from_dir_prepare(g, &l) &&
         taco__from_dir_write_all(g, &l, target);
    taco__dir_scan_free(&l);
    return ok;
}
TACO_API taco_status taco_create_directory(const char *path, const char *source,
                                           const char *collection, size_t len,
                                           const taco_directory_options *how, taco_error *err)
{
    taco_directory_options none;
    taco__from_dir         g;
    taco_error             own = {0, TACO_OK, 0, {0}};
    size_t                 i;
    memset(&none, 0, sizeof none);
    memset(&g, 0, sizeof g);
    if (!path || !source || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "path, source or collection is missing");
    }
    g.how = how ? how : &none;
    if (g.how->create) {
        g.create = *g.how->create;
    }
    if (g.create.options) {
        g.options = *g.create.options;
    }
    g.err = &own;
    taco__mem_init(&g.mem, g.create.options);
    g.arena.mem = g.path.mem = &g.mem;
    g.collection = collection;
    g.collection_len = len;
    g.sizes = g.how->split_size != 0 || g.how->near_size != 0;
    if (!taco__from_dir_run(&g, path, source)) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    for (i = 0; i < g.table_count; i++) {
        taco_table_close(g.tables[i].table);
    }
    taco__buf_free(&g.path);
    taco__arena_free(&g.arena);
    if (err && err->code == TACO_OK) {
        *err = own;
    }
    return own.code;
}
