/* ==== ROOM build: collections out, and to and from TACO. Uses: enrich raster hive geom pq:write ==== */

#define TACO__BUILD_MAX_PARTS  512
#define TACO__BUILD_BATCH_ROWS 128 /* of a batch with headers, which are held together */

typedef enum taco__build_column_kind { /* where a column comes from */
                                       TACO__BUILD_SOURCE = 0,
                                       TACO__BUILD_ID,
                                       TACO__BUILD_DATETIME,
                                       TACO__BUILD_ASSETS,
                                       TACO__BUILD_EPSG,
                                       TACO__BUILD_CRS,
                                       TACO__BUILD_BAND,
                                       TACO__BUILD_BBOX_LIST,
                                       TACO__BUILD_BBOX_EDGE, /* bbox_minx to bbox_maxy, by band */
                                       TACO__BUILD_BBOX,
                                       TACO__BUILD_YEAR,
                                       TACO__BUILD_MONTH
} taco__build_column_kind;
typedef struct taco__build_column {
    taco_field              field;
    taco__build_column_kind what;
    size_t                  source; /* column of the source */
    size_t                  band;
    bool                    key; /* of the partitions, and not in the files */
    taco__row_builder       made;
    taco__array_buf         taken;
} taco__build_column;
typedef struct taco__build_part {
    const char     *key; /* year=2020/month=1 */
    taco_pq_writer *writer;
} taco__build_part;

typedef struct taco__build {
    taco__mem                    mem;
    taco__arena                  arena;
    const taco_rasteret_options *opt;
    taco_options                 options;
    const char                  *target;
    taco_dataset                *ds;
    taco_cursor                 *cursor;
    taco_pq_file                *pq;
    taco_pq_reader              *reader;
    const taco_field            *in;
    size_t                       in_count;
    taco__build_column          *columns;
    size_t                       count;
    size_t id, datetime, geometry, assets, href, code, epsg, crs; /* of the source; SIZE_MAX */
    const char **bands;                                           /* that are enriched */
    uint32_t    *band_at;
    size_t       band_count;
    taco__enrich enrich;
    taco_field  f64[1], i64[1], i32[1], sides[4], meta[TACO__ENRICH_FIELDS], asset[2], *asset_bands;
    taco_field *out; /* of the files */
    size_t      out_count;
    taco_pq_key keys[8];
    size_t      key_count;
    taco__build_part parts[TACO__BUILD_MAX_PARTS];
    size_t           part_count;
    taco__buf        text, part_of, index, codes;
    taco__array_buf *cuts;
    bool             warned;
    bool             plain; /* hrefs are files in the end, not parts of them */
    uint64_t         rows;
} taco__build;

/* ---- the source ---------------------------------------------------------------------------------- */

/* A Parquet file is read as it stands, whatever it holds; a directory must be a collection. */
TACO__FN bool taco__build_open_source(taco__build *b, const char *source, const taco_source *src,
                                      taco_error *err)
{
    static const taco_opener *const openers[2] = {&taco__rasteret_opener, NULL};
    uint64_t                        size;
    taco_query                      q;
    taco_pq_query                   pq;
    if (!src && taco__plat_stat(source, &size) == TACO__PATH_DIRECTORY) {
        b->options.openers = openers;
        memset(&q, 0, sizeof q);
        b->ds = taco_open(source, &b->options, err);
        b->cursor = b->ds ? taco_select(b->ds, &q, err) : NULL;
        b->in = b->cursor ? taco_cursor_fields(b->cursor, &b->in_count) : NULL;
        return b->in != NULL;
    }
    memset(&pq, 0, sizeof pq);
    pq.batch_rows = b->opt->enrich ? TACO__BUILD_BATCH_ROWS : 0;
    b->pq = src ? taco_pq_open_source(src, source, &b->options, err)
                : taco_pq_open(source, &b->options, err);
    b->reader = b->pq ? taco_pq_read(b->pq, &pq, err) : NULL;
    b->in = b->reader ? taco_pq_reader_fields(b->reader, &b->in_count) : NULL;
    return b->in != NULL;
}
TACO__FN bool taco__build_next_batch(taco__build *b, taco_batch *out)
{
    return b->cursor ? taco_cursor_batch(b->cursor, out) : taco_pq_reader_next(b->reader, out);
}
TACO__FN taco_bytes taco__build_source_key_value(const taco__build *b, const char *key)
{
    return taco_pq_key_value(b->ds ? &b->ds->stores[0].levels[0].pq : b->pq, key);
}
/* Column of the source that is, or is renamed to, name. */
TACO__FN size_t taco__build_columns_find_source(const taco__build *b, const char *name)
{
    size_t i, k;
    for (i = 0; i < b->in_count; i++) {
        if (strcmp(b->in[i].name, name) == 0) {
            return i;
        }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        for (i = 0; strcmp(b->opt->rename[k].to, name) == 0 && i < b->in_count; i++) {
            if (strcmp(b->in[i].name, b->opt->rename[k].from) == 0) {
                return i;
            }
        }
    }
    return SIZE_MAX;
}

/* ---- the columns --------------------------------------------------------------------------------- */

TACO__FN bool taco__build_columns_is_integer(const taco__build *b, size_t c)
{
    return c != SIZE_MAX && b->in[c].type >= TACO_INT8 && b->in[c].type <= TACO_UINT64;
}
/* Adds a column, or takes the place of the one with that name. */
TACO__FN taco__build_column *taco__build_columns_add(taco__build *b, const taco_field *f,
                                                     taco__build_column_kind what, size_t source)
{
    taco__build_column *c;
    size_t              i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, f->name) != 0; i++) {
    }
    c = &b->columns[i];
    b->count += i == b->count;
    memset(c, 0, sizeof *c);
    c->field = *f;
    c->field.nullable = true;
    c->what = what;
    c->source = source;
    return c;
}
TACO__FN bool taco__build_columns_has(const taco__build *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, name) != 0; i++) {
    }
    return i < b->count;
}
TACO__FN void taco__build_columns_add_plain(taco__build *b, const char *name, taco_type type,
                                            taco__build_column_kind what, size_t band)
{
    taco_field f = taco__row_builder_field(name, type);
    taco__build_columns_add(b, &f, what, SIZE_MAX)->band = band;
}
/* Columns of the source, under their own names and those they are renamed to. */
TACO__FN bool taco__build_columns_add_sources(taco__build *b, taco_error *err)
{
    size_t i, k;
    for (i = 0; i < b->in_count; i++) {
        if (!taco__bytes_starts_with(taco__bytes_text(b->in[i].name), "internal:")) {
            taco__build_columns_add(b, &b->in[i], TACO__BUILD_SOURCE, i);
        }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        taco_bytes name = taco__bytes_text(b->opt->rename[k].from);
        taco_field f;
        i = taco__build_columns_find_source(b, b->opt->rename[k].from);
        if (i == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q to rename", &name);
            return false;
        }
        f = b->in[i];
        f.name = b->opt->rename[k].to;
        taco__build_columns_add(b, &f, TACO__BUILD_SOURCE, i);
    }
    b->id = taco__build_columns_find_source(b, "id");
    b->datetime = taco__build_columns_find_source(b, "datetime");
    b->geometry = taco__build_columns_find_source(b, "geometry");
    b->assets = taco__build_columns_find_source(b, "assets");
    b->code = taco__build_columns_find_source(b, "proj:code");
    b->epsg = taco__build_columns_find_source(b, "proj:epsg");
    b->crs = taco__build_columns_find_source(b, "crs");
    return true;
}
/* assets of href_column and bands, where there are none. */
TACO__FN bool taco__build_columns_add_assets(taco__build *b, taco_error *err)
{
    taco_field f;
    size_t     i;
    if (b->assets != SIZE_MAX || !b->opt->href_column) {
        return true;
    }
    b->href = taco__build_columns_find_source(b, b->opt->href_column);
    if (b->href == SIZE_MAX || b->in[b->href].type != TACO_TEXT || b->opt->band_count == 0) {
        taco_bytes name = taco__bytes_text(b->opt->href_column);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   b->href == SIZE_MAX ? "no column %q for the hrefs of assets"
                                       : "column %q is not text, or no band is named for it",
                   &name);
        return false;
    }
    b->asset[0] = taco__row_builder_field("href", TACO_TEXT);
    b->asset[1] = taco__row_builder_field("band_index", TACO_INT64);
    b->asset_bands =
        (taco_field *)taco__arena_array(&b->arena, b->opt->band_count, sizeof *b->asset_bands, err);
    for (i = 0; b->asset_bands && i < b->opt->band_count; i++) {
        b->asset_bands[i] =
            taco__row_builder_nested_field(b->opt->bands[i].name, TACO_STRUCT, b->asset, 2);
    }
    f = taco__row_builder_nested_field("assets", TACO_STRUCT, b->asset_bands,
                                       (uint32_t)b->opt->band_count);
    taco__build_columns_add(b, &f, TACO__BUILD_ASSETS, SIZE_MAX);
    return b->asset_bands != NULL;
}
/* A metadata column for each band of the assets, or of those that opt names. */
TACO__FN bool taco__build_columns_add_bands(taco__build *b, taco_error *err)
{
    const taco_field *assets = NULL;
    uint32_t          i;
    size_t            k;
    for (k = 0; k < b->count; k++) {
        assets = strcmp(b->columns[k].field.name, "assets") == 0 ? &b->columns[k].field : assets;
    }
    if (!b->opt->enrich || !assets || assets->type != TACO_STRUCT) {
        return true;
    }
    b->bands =
        (const char **)taco__arena_array(&b->arena, assets->child_count + 1, sizeof *b->bands, err);
    b->band_at =
        (uint32_t *)taco__arena_array(&b->arena, assets->child_count + 1, sizeof *b->band_at, err);
    for (i = 0; b->bands && b->band_at && i < assets->child_count; i++) {
        bool wanted = b->opt->band_count == 0;
        for (k = 0; k < b->opt->band_count; k++) {
            wanted = wanted || strcmp(b->opt->bands[k].name, assets->children[i].name) == 0;
        }
        if (wanted && b->band_count < TACO__ENRICH_MAX_BANDS) {
            b->bands[b->band_count] = assets->children[i].name;
            b->band_at[b->band_count++] = i;
        }
    }
    for (k = 0; b->bands && b->band_at && k < b->band_count; k++) {
        size_t     n = strlen(b->bands[k]);
        char      *name = (char *)taco__arena_alloc(&b->arena, n + 10, err);
        taco_field f;
        if (!name) {
            return false;
        }
        memcpy(name, b->bands[k], n);
        memcpy(name + n, "_metadata", 9);
        f = taco__row_builder_nested_field(name, TACO_STRUCT, b->meta, TACO__ENRICH_FIELDS);
        taco__build_columns_add(b, &f, TACO__BUILD_BAND, SIZE_MAX)->band = k;
    }
    return b->bands && b->band_at;
}
TACO__FN bool taco__build_columns_add_bboxes(taco__build *b)
{
    static const char *const scalars[4] = {"bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy"};
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    taco_field               f = taco__row_builder_nested_field("scene_bbox", TACO_LIST, b->f64, 1);
    size_t                   i;
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX_LIST, SIZE_MAX);
    for (i = 0; i < 4; i++) {
        taco__build_columns_add_plain(b, scalars[i], TACO_DOUBLE, TACO__BUILD_BBOX_EDGE, i);
        b->sides[i] = taco__row_builder_field(names[i], TACO_DOUBLE);
    }
    f = taco__row_builder_nested_field("bbox", TACO_STRUCT, b->sides, 4);
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX, SIZE_MAX);
    return true;
}
TACO__FN bool taco__build_columns_check_required(const taco__build *b, taco_error *err)
{
    bool id = taco__build_columns_has(b, "id"), datetime = taco__build_columns_has(b, "datetime");
    bool geometry = taco__build_columns_has(b, "geometry"),
         assets = taco__build_columns_has(b, "assets");
    if (!id || !datetime || !geometry || !assets) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the table is missing required columns:%s%s%s%s", id ? "" : " id",
                   datetime ? "" : " datetime", geometry ? "" : " geometry",
                   assets ? "" : " assets");
        return false;
    }
    return true;
}
/* Which columns name the partitions, and which are in the files. */
TACO__FN bool taco__build_columns_mark_keys(taco__build *b, taco_error *err)
{
    static const char *const usual[2] = {"year", "month"};
    const char *const       *names = b->opt->partition ? b->opt->partition : usual;
    size_t n = b->opt->single ? 0 : b->opt->partition ? b->opt->partition_count : 2, i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < b->count && strcmp(b->columns[i].field.name, names[k]) != 0; i++) {
        }
        if (i == b->count ||
            (b->columns[i].field.type != TACO_TEXT &&
             !(b->columns[i].field.type >= TACO_INT8 && b->columns[i].field.type <= TACO_UINT64))) {
            taco_bytes name = taco__bytes_text(names[k]);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "no column %q of text or integers to partition by", &name);
            return false;
        }
        b->columns[i].key = true;
    }
    b->out = (taco_field *)taco__arena_array(&b->arena, b->count + 1, sizeof *b->out, err);
    for (i = 0; b->out && i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        if (c->what != TACO__BUILD_SOURCE &&
            !taco__row_builder_init(&c->made, &c->field, &b->mem, &b->arena, err)) {
            return false;
        }
        if (!c->key) {
            b->out[b->out_count++] = c->field;
        }
        if (!taco__array_buf_init(&c->taken, &c->field, &b->mem, &b->arena, err)) {
            return false;
        }
    }
    return b->out != NULL;
}
TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err)
{
    size_t most = b->in_count + b->opt->rename_count + TACO__ENRICH_MAX_BANDS + 32;
    b->href = SIZE_MAX;
    b->columns = (taco__build_column *)taco__arena_array(&b->arena, most, sizeof *b->columns, err);
    b->f64[0] = taco__row_builder_field("element", TACO_DOUBLE);
    b->i64[0] = taco__row_builder_field("element", TACO_INT64);
    b->i32[0] = taco__row_builder_field("element", TACO_INT32);
    taco__enrich_init_fields(b->meta, b->f64, b->i64, b->i32);
    if (!b->columns || !taco__build_columns_add_sources(b, err) ||
        !taco__build_columns_add_assets(b, err)) {
        return false;
    }
    if (taco__build_columns_is_integer(b, b->id)) {
        taco__build_columns_add_plain(b, "id", TACO_TEXT, TACO__BUILD_ID, 0);
    }
    if (b->datetime != SIZE_MAX && b->in[b->datetime].type != TACO_TIMESTAMP) {
        taco__build_columns_add_plain(b, "datetime", TACO_TIMESTAMP, TACO__BUILD_DATETIME, 0);
    }
    if (!taco__build_columns_check_required(b, err)) {
        return false;
    }
    if (b->code != SIZE_MAX || b->epsg != SIZE_MAX || b->crs != SIZE_MAX || b->opt->enrich) {
        taco__build_columns_add_plain(b, "proj:epsg", TACO_INT32, TACO__BUILD_EPSG, 0);
        taco__build_columns_add_plain(b, "crs", TACO_TEXT, TACO__BUILD_CRS, 0);
    }
    if (!taco__build_columns_add_bands(b, err) || !taco__build_columns_add_bboxes(b)) {
        return false;
    }
    if (!taco__build_columns_has(b, "year")) {
        taco__build_columns_add_plain(b, "year", TACO_INT32, TACO__BUILD_YEAR, 0);
    }
    if (!taco__build_columns_has(b, "month")) {
        taco__build_columns_add_plain(b, "month", TACO_INT32, TACO__BUILD_MONTH, 0);
    }
    for (most = 0; most < b->count; most++) {
        if (!taco__contract_check_type(&b->columns[most].field, err)) {
            return false;
        }
    }
    return taco__build_columns_mark_keys(b, err);
}

/* ---- values -------------------------------------------------------------------------------------- */

/* A time in microseconds, from a timestamp, a date, a year or text. False: null, or err is set. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err)
{
    int64_t    v;
    bool       date;
    taco_bytes text;
    if (!taco_array_valid(a, i)) {
        return false;
    }
    v = taco_array_int(a, i);
    switch (a->field->type) {
    case TACO_TIMESTAMP:
        *us = a->field->unit == TACO_NANO                          ? taco__time_floor_div(v, 1000)
              : a->field->unit == TACO_MICRO                       ? v
              : v > INT64_MAX / 1000000 || v < INT64_MIN / 1000000 ? 0
              : a->field->unit == TACO_MILLI                       ? v * 1000
                                                                   : v * 1000000;
        return true;
    case TACO_DATE: *us = v * 86400000000LL; return true;
    case TACO_TEXT:
        text = taco_array_bytes(a, i);
        if (taco__time_parse(text, us, &date)) {
            return true;
        }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "datetime %q is not ISO 8601", &text);
        return false;
    default:
        if (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64 && v >= -9999 &&
            v <= 9999) {
            *us = taco__time_days_from_date(v, 1, 1) * 86400000000LL;
            return true;
        }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "datetime is neither a time, nor text, nor a year");
        return false;
    }
}
/* The number of EPSG:n or of digits; 0 when it is neither. */
TACO__FN int32_t taco__build_values_read_epsg(const taco_array *a, size_t i)
{
    taco_bytes t;
    uint64_t   x = 0;
    if (!taco_array_valid(a, i)) {
        return 0;
    }
    if (a->field->type != TACO_TEXT) {
        int64_t v = taco_array_int(a, i);
        return v > 0 && v <= INT32_MAX ? (int32_t)v : 0;
    }
    t = taco_array_bytes(a, i);
    while (t.len && t.data[0] == ' ') {
        t = taco__bytes_of(t.data + 1, t.len - 1);
    }
    while (t.len && t.data[t.len - 1] == ' ') {
        t.len--;
    }
    if (t.len > 5 && (t.data[0] | 0x20) == 'e' && (t.data[1] | 0x20) == 'p' &&
        (t.data[2] | 0x20) == 's' && (t.data[3] | 0x20) == 'g' && t.data[4] == ':') {
        t = taco__bytes_of(t.data + 5, t.len - 5);
    }
    return taco__num_parse_u64(t, &x) && x <= INT32_MAX ? (int32_t)x : 0;
}
TACO__FN bool taco__build_values_make_crs(taco__build *b, const taco_batch *in,
                                          taco__row_builder *epsg, taco__row_builder *crs,
                                          const int32_t *codes, taco_error *err)
{
    const size_t order[3] = {b->code, b->epsg, b->crs};
    size_t       i, k;
    for (i = 0; i < in->length; i++) {
        int32_t code = 0;
        char    text[24] = "EPSG:";
        bool    ok;
        for (k = 0; k < 3 && !code; k++) {
            code =
                order[k] == SIZE_MAX ? 0 : taco__build_values_read_epsg(&in->columns[order[k]], i);
        }
        code = code ? code : codes ? codes[i] : 0;
        text[5 + taco__num_format_u64(text + 5, (uint64_t)code)] = 0;
        if (code) {
            ok = taco__row_builder_append_int(epsg, code, err) &&
                 taco__row_builder_append_text(crs, text, err);
        } else {
            const taco_array *other =
                b->crs != SIZE_MAX && b->in[b->crs].type == TACO_TEXT ? &in->columns[b->crs] : NULL;
            ok = taco__row_builder_append_null(epsg, err) &&
                 (other && taco_array_valid(other, i)
                      ? taco__row_builder_append_bytes(crs, taco_array_bytes(other, i), err)
                      : taco__row_builder_append_null(crs, err));
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}
/* The asset of every band, its href rewritten. */
TACO__FN bool taco__build_values_make_assets(taco__build *b, const taco_array *urls,
                                             taco__row_builder *c, size_t rows, bool plain,
                                             taco_error *err)
{
    size_t i, k;
    for (i = 0; i < rows; i++) {
        taco_bytes  url = taco_array_bytes(urls, i);
        const char *to = "";
        if (!taco_array_valid(urls, i)) {
            if (!taco__row_builder_append_null(c, err)) {
                return false;
            }
            continue;
        }
        if (plain) {
            uint64_t offset, length;
            (void)taco__enrich_parse_subfile(url, &url, &offset, &length);
        }
        for (k = 0; k < b->opt->rewrite_count; k++) {
            if (taco__bytes_starts_with(url, b->opt->rewrite[k].from)) {
                size_t n = strlen(b->opt->rewrite[k].from);
                to = b->opt->rewrite[k].to;
                url = taco__bytes_of(url.data + n, url.len - n);
                break;
            }
        }
        for (k = 0; k < b->opt->band_count; k++) {
            taco__row_builder *asset = &c->child[k];
            if (!taco__buf_append_text(&asset->child[0].values, to, err) ||
                !taco__row_builder_append_bytes(&asset->child[0], url, err) ||
                !taco__row_builder_append_int(&asset->child[1], b->opt->bands[k].index, err) ||
                !taco__row_builder_end_row(asset, true, err)) {
                return false;
            }
        }
        if (!taco__row_builder_end_row(c, true, err)) {
            return false;
        }
    }
    return true;
}
/* Bounds of a geometry; false where there are none. */
TACO__FN bool taco__build_values_read_bounds(taco__build *b, const taco_array *a, size_t i,
                                             double box[4])
{
    taco_error why;
    bool       empty = true;
    memset(&why, 0, sizeof why);
    if (taco_array_valid(a, i) &&
        taco__wkb_bounds(taco_array_bytes(a, i), box, &empty, &why) == TACO_OK) {
        return !empty;
    }
    if (b->options.warn && !b->warned) {
        b->warned = true;
        TACO__FAIL(&why, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "it is null");
        taco__error_prefix(&why, "row %u: no box can be made of the geometry, and perhaps of more",
                           b->rows + i);
        b->options.warn(b->options.warn_ctx, &why);
    }
    return false;
}
TACO__FN bool taco__build_values_append_bbox(taco__build_column *c, bool there, const double box[4],
                                             taco_error *err)
{
    size_t k;
    bool   ok = true;
    if (!there) {
        return taco__row_builder_append_null(&c->made, err);
    }
    if (c->what == TACO__BUILD_BBOX_LIST) {
        return taco__row_builder_append_doubles(&c->made, box, 4, err);
    }
    if (c->what == TACO__BUILD_BBOX_EDGE) {
        return taco__row_builder_append_double(&c->made, box[c->band], err);
    }
    for (k = 0; ok && k < 4; k++) {
        ok = taco__row_builder_append_double(&c->made.child[k], box[k], err);
    }
    return ok && taco__row_builder_end_row(&c->made, true, err);
}
/* The rows of one column that is made of others by itself. */
TACO__FN bool taco__build_values_make_column(taco__build *b, taco__build_column *c,
                                             const taco_batch *in, taco_error *err)
{
    const taco_array *times = &in->columns[b->datetime], *geometry = &in->columns[b->geometry];
    size_t            i;
    for (i = 0; i < in->length; i++) {
        double            box[4];
        char              text[24];
        int64_t           us = 0;
        taco__time_civil  day;
        bool              ok;
        const taco_array *id = &in->columns[b->id];
        switch (c->what) {
        case TACO__BUILD_ID:
            text[taco__num_format_i64(text, taco_array_int(id, i))] = 0;
            ok =
                taco__row_builder_append_text(&c->made, taco_array_valid(id, i) ? text : NULL, err);
            break;
        case TACO__BUILD_DATETIME:
            ok = taco__build_values_read_time(times, i, &us, err)
                     ? taco__row_builder_append_int(&c->made, us, err)
                     : taco__row_builder_append_null(&c->made, err);
            break;
        case TACO__BUILD_YEAR:
        case TACO__BUILD_MONTH:
            ok = taco__build_values_read_time(times, i, &us, err);
            day = taco__time_date_from_days(taco__time_floor_div(us, 86400000000LL));
            ok = ok ? taco__row_builder_append_int(
                          &c->made, c->what == TACO__BUILD_YEAR ? day.year : day.month, err)
                    : taco__row_builder_append_null(&c->made, err);
            break;
        default:
            ok = taco__build_values_append_bbox(
                c, taco__build_values_read_bounds(b, geometry, i, box), box, err);
            break;
        }
        if (!ok || (err && err->code != TACO_OK)) {
            return false;
        }
    }
    return true;
}
TACO__FN taco__build_column *
taco__build_values_find_column(taco__build *b, taco__build_column_kind what, size_t band)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].what == what && b->columns[i].band == band) {
            return &b->columns[i];
        }
    }
    return NULL;
}
/* Headers of the assets of a batch into the columns of the bands. */
TACO__FN bool taco__build_values_enrich(taco__build *b, const taco_batch *in, int32_t *codes,
                                        taco_error *err)
{
    taco__build_column *c = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    taco__row_builder  *made =
        (taco__row_builder *)taco__arena_array(&b->enrich.arena, b->band_count, sizeof *made, err);
    taco_array assets;
    size_t     k;
    bool       ok;
    if (!made) {
        return false;
    }
    if (c) {
        taco__row_builder_array(&c->made, &assets);
    } else {
        assets = in->columns[b->assets];
    }
    for (k = 0; k < b->band_count; k++) {
        made[k] = taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made;
    }
    ok = taco__enrich_collect_assets(&b->enrich, &assets, b->band_at, b->band_count, in->length,
                                     err);
    if (ok) {
        taco__enrich_run(&b->enrich);
        ok = taco__enrich_fill_columns(&b->enrich, made, b->band_count, in->length,
                                       &in->columns[b->id], codes, err);
    }
    for (k = 0; k < b->band_count; k++) { /* the buffers may have moved */
        taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made = made[k];
    }
    taco__enrich_free(&b->enrich);
    return ok;
}
TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__build_column *epsg = taco__build_values_find_column(b, TACO__BUILD_EPSG, 0);
    taco__build_column *assets = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    int32_t            *codes = NULL;
    size_t              i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].what != TACO__BUILD_SOURCE) {
            taco__row_builder_reset(&b->columns[i].made);
        }
    }
    if (assets && !taco__build_values_make_assets(b, &in->columns[b->href], &assets->made,
                                                  in->length, false, err)) {
        return false;
    }
    if (b->band_count) {
        if (!taco__buf_reset(&b->codes, (in->length + 1) * sizeof *codes, err)) {
            return false;
        }
        codes = (int32_t *)(void *)b->codes.data;
        if (!taco__build_values_enrich(b, in, codes, err)) {
            return false;
        }
    }
    if (assets && b->plain) { /* tile offsets count from the beginning of the archive by now */
        taco__row_builder_reset(&assets->made);
        if (!taco__build_values_make_assets(b, &in->columns[b->href], &assets->made, in->length,
                                            true, err)) {
            return false;
        }
    }
    if (epsg && !taco__build_values_make_crs(
                    b, in, &epsg->made,
                    &taco__build_values_find_column(b, TACO__BUILD_CRS, 0)->made, codes, err)) {
        return false;
    }
    for (i = 0; i < b->count; i++) {
        taco__build_column_kind w = b->columns[i].what;
        if ((w == TACO__BUILD_ID || w == TACO__BUILD_DATETIME || w >= TACO__BUILD_BBOX_LIST) &&
            !taco__build_values_make_column(b, &b->columns[i], in, err)) {
            return false;
        }
    }
    return true;
}

/* ---- files --------------------------------------------------------------------------------------- */

TACO__FN void taco__build_read_column(taco__build *b, size_t i, const taco_batch *in,
                                      taco_array *out)
{
    taco__build_column *c = &b->columns[i];
    if (c->what == TACO__BUILD_SOURCE) {
        *out = in->columns[c->source];
    } else {
        taco__row_builder_array(&c->made, out);
    }
    out->field = &c->field;
}
/* name=value of a partition, escaped as Arrow does it. */
TACO__FN bool taco__build_append_key(taco__buf *t, const taco_array *a, size_t row, taco_error *err)
{
    taco_bytes v;
    char       text[24];
    size_t     i;
    if (t->len && !taco__buf_append_char(t, '/', err)) {
        return false;
    }
    if (!taco__buf_append_text(t, a->field->name, err) || !taco__buf_append_char(t, '=', err)) {
        return false;
    }
    if (!taco_array_valid(a, row)) {
        return taco__buf_append_text(t, TACO__HIVE_NULL_NAME, err);
    }
    v = a->field->type == TACO_TEXT
            ? taco_array_bytes(a, row)
            : taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(a, row)));
    for (i = 0; i < v.len; i++) {
        uint8_t c = v.data[i];
        bool    plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        char escape[3];
        escape[0] = '%';
        escape[1] = "0123456789ABCDEF"[c >> 4];
        escape[2] = "0123456789ABCDEF"[c & 15];
        if (!taco__buf_append(t, plain ? (const void *)&c : escape, plain ? 1 : 3, err)) {
            return false;
        }
    }
    return true;
}
/* Key-value entries of every file; `geo` is the writer's. */
TACO__FN bool taco__build_file_key_values(taco__build *b, const char *source, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    const char                  *asked[4];
    static const char *const     names[4] = {"description", "name", "data_source", "created"};
    taco_bytes                   dates = taco__build_source_key_value(b, "date_range");
    size_t                       i;
    asked[0] = o->description;
    asked[1] = o->name;
    asked[2] = o->data_source;
    asked[3] = o->created;
    for (i = 0; i < 4; i++) {
        taco_bytes v =
            asked[i] ? taco__bytes_text(asked[i]) : taco__build_source_key_value(b, names[i]);
        if (i == 1 && !v.len) {
            v = taco__rasteret_info_default_name(source);
        }
        if (i == 3 && !v.len) {
            continue;
        }
        b->keys[b->key_count].key = names[i];
        b->keys[b->key_count++].value = taco__arena_text(&b->arena, v, err);
    }
    if (o->start_date && o->end_date) {
        b->text.len = 0;
        if (!taco__buf_append_text(&b->text, o->start_date, err) ||
            !taco__buf_append_char(&b->text, ',', err) ||
            !taco__buf_append_text(&b->text, o->end_date, err)) {
            return false;
        }
        dates = taco__bytes_of(b->text.data, b->text.len);
    }
    b->keys[b->key_count].key = "date_range";
    b->keys[b->key_count++].value = taco__arena_text(&b->arena, dates, err);
    b->keys[b->key_count].key = "rasteret_collection_version";
    b->keys[b->key_count++].value = "1";
    for (i = 0; i < b->key_count; i++) {
        if (!b->keys[i].value) {
            return false;
        }
    }
    return true;
}
#ifndef TACO_NO_STDIO
TACO__FN bool taco__build_open_sink(taco__build *b, const char *path, taco_sink *out,
                                    taco_error *err)
{
    return taco_sink_file(out, path, &b->options, err) == TACO_OK;
}
TACO__FN bool taco__build_make_dir(const char *path, taco_error *err)
{
    return taco__dir_make(path, err);
}
#else
TACO__FN bool taco__build_open_sink(taco__build *b, const char *path, taco_sink *out,
                                    taco_error *err)
{
    (void)b;
    (void)out;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}
TACO__FN bool taco__build_make_dir(const char *path, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}
#endif
TACO__FN bool taco__build_open_writer(taco__build *b, taco__build_part *p, const char *path,
                                      taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_geometry      g;
    taco_sink             sink;
    memset(&w, 0, sizeof w);
    memset(&g, 0, sizeof g);
    g.column = "geometry";
    g.covering = "bbox";
    w.options = &b->options;
    w.codec = TACO_CODEC_ZSTD;
    w.level = 3;
    w.row_group_rows = 50000;
    w.keys = b->keys;
    w.key_count = b->key_count;
    w.geometries = &g;
    w.geometry_count = 1;
    if (!taco__build_open_sink(b, path, &sink, err)) {
        return false;
    }
    p->writer = taco_pq_write(&sink, b->out, b->out_count, &w, err);
    return p->writer != NULL;
}
/* Makes the directories of a partition, one below the other, and opens its file. */
TACO__FN taco__build_part *taco__build_open_part(taco__build *b, const char *key, taco_error *err)
{
    taco__build_part *p = &b->parts[b->part_count];
    size_t            i, n = strlen(b->target);
    if (b->part_count == TACO__BUILD_MAX_PARTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than %u partitions: partition by fewer columns, or none",
                   TACO__U(TACO__BUILD_MAX_PARTS));
        return NULL;
    }
    p->key = taco__arena_text(&b->arena, taco__bytes_text(key), err);
    b->text.len = 0;
    if (!p->key || !taco__buf_append(&b->text, b->target, n, err)) {
        return NULL;
    }
    if (!b->opt->single) {
        for (i = 0;; i++) {
            bool last = p->key[i] == 0;
            if (last || p->key[i] == '/' || i == 0) {
                size_t len = b->text.len;
                if (!taco__buf_append_char(&b->text, 0, err) ||
                    !taco__build_make_dir((const char *)b->text.data, err)) {
                    return NULL;
                }
                b->text.len = len;
            }
            if (last) {
                break;
            }
            if ((i == 0 && !taco__buf_append_char(&b->text, '/', err)) ||
                !taco__buf_append_char(&b->text, p->key[i], err)) {
                return NULL;
            }
        }
        if (!taco__buf_append_text(&b->text, "/part-0.parquet", err)) {
            return NULL;
        }
    }
    if (!taco__buf_append_char(&b->text, 0, err) ||
        !taco__build_open_writer(b, p, (const char *)b->text.data, err)) {
        return NULL;
    }
    b->part_count++;
    return p;
}
/* The partition of every row of a batch, as uint32 in part_of. */
TACO__FN bool taco__build_assign_parts(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *keys =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count, sizeof *keys, err);
    taco__buf key;
    size_t    n = 0, i, k, row, last = SIZE_MAX;
    bool      ok = keys != NULL;
    memset(&key, 0, sizeof key);
    key.mem = &b->mem;
    for (i = 0; ok && i < b->count; i++) {
        if (b->columns[i].key) {
            taco__build_read_column(b, i, in, &keys[n++]);
        }
    }
    ok = ok && taco__buf_reset(&b->index, (in->length + 1) * sizeof(int32_t), err) &&
         taco__buf_reset(&b->part_of, (in->length + 1) * sizeof(uint32_t), err);
    for (row = 0; ok && row < in->length; row++) {
        uint32_t part;
        key.len = 0;
        for (k = 0; ok && k < n; k++) {
            ok = taco__build_append_key(&key, &keys[k], row, err);
        }
        ok = ok && taco__buf_append_char(&key, 0, err);
        if (ok && (last == SIZE_MAX || strcmp(b->parts[last].key, (const char *)key.data) != 0)) {
            for (last = 0;
                 last < b->part_count && strcmp(b->parts[last].key, (const char *)key.data) != 0;
                 last++) {
            }
            ok = last < b->part_count || taco__build_open_part(b, (const char *)key.data, err);
        }
        part = (uint32_t)last;
        ok = ok && taco__buf_append(&b->part_of, &part, sizeof part, err);
    }
    taco__buf_free(&key);
    return ok;
}
TACO__FN bool taco__build_write_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *all =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count + 1, sizeof *all, err);
    const uint32_t *part_of;
    int32_t        *index;
    size_t          p, i, k, n, row;
    taco_batch      out;
    if (!all || !taco__build_assign_parts(b, in, err)) {
        return false;
    }
    part_of = (const uint32_t *)(const void *)b->part_of.data;
    index = (int32_t *)(void *)b->index.data;
    for (p = 0; p < b->part_count; p++) {
        for (row = n = 0; row < in->length; row++) {
            if (part_of[row] == p) {
                index[n++] = (int32_t)row;
            }
        }
        for (i = k = 0; n && i < b->count; i++) {
            taco_array whole;
            if (b->columns[i].key) {
                continue;
            }
            taco__build_read_column(b, i, in, &whole);
            if (n < in->length) {
                if (!taco__take_array(&b->columns[i].taken, &whole, index, n, err)) {
                    return false;
                }
                whole = b->columns[i].taken.array;
            }
            all[k++] = whole;
        }
        memset(&out, 0, sizeof out);
        out.first_row = -1;
        out.length = n;
        out.columns = all;
        out.column_count = k;
        if (n && taco_pq_writer_batch(b->parts[p].writer, &out) != TACO_OK) {
            taco_pq_writer_close(b->parts[p].writer, err);
            b->parts[p].writer = NULL;
            return false;
        }
    }
    return true;
}
/* Rows [at, at + n) of the columns of the source, through buffers of their own. */
TACO__FN bool taco__build_slice_columns(taco__build *b, taco_array *columns, size_t at, size_t n,
                                        taco_error *err)
{
    size_t   i;
    int32_t *index;
    if (!b->cuts) {
        b->cuts =
            (taco__array_buf *)taco__arena_array(&b->arena, b->in_count, sizeof *b->cuts, err);
        for (i = 0; b->cuts && i < b->in_count; i++) {
            if (!taco__array_buf_init(&b->cuts[i], &b->in[i], &b->mem, &b->arena, err)) {
                return false;
            }
        }
    }
    if (!b->cuts || !taco__buf_reset(&b->index, (n + 1) * sizeof *index, err)) {
        return false;
    }
    index = (int32_t *)(void *)b->index.data;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(at + i);
    }
    for (i = 0; i < b->in_count; i++) {
        if (!taco__take_array(&b->cuts[i], &columns[i], index, n, err)) {
            return false;
        }
        columns[i] = b->cuts[i].array;
    }
    return true;
}
TACO__FN bool taco__build_run(taco__build *b, taco_error *err)
{
    taco_batch in;
    size_t     at, i;
    while (taco__build_next_batch(
        b, &in)) { /* a cursor's batches are larger than what is parsed together */
        size_t step = b->band_count ? TACO__BUILD_BATCH_ROWS : in.length;
        for (at = 0; at < in.length; at += step) {
            taco_batch part = in;
            if (in.length > step) {
                taco_array *cut = (taco_array *)taco__arena_array(&b->enrich.arena, b->in_count,
                                                                  sizeof *cut, err);
                part.length = TACO__MIN(step, in.length - at);
                for (i = 0; cut && i < b->in_count; i++) {
                    cut[i] = in.columns[i];
                }
                if (!cut || !taco__build_slice_columns(b, cut, at, part.length, err)) {
                    return false;
                }
                part.columns = cut;
            }
            if (!taco__build_values_make_batch(b, &part, err) ||
                !taco__build_write_batch(b, &part, err)) {
                return false;
            }
            b->rows += part.length;
            taco__arena_free(&b->enrich.arena);
        }
    }
    if ((b->cursor ? taco_cursor_close(b->cursor, err) : taco_pq_reader_close(b->reader, err)) !=
        TACO_OK) {
        b->cursor = NULL;
        b->reader = NULL;
        return false;
    }
    b->cursor = NULL;
    b->reader = NULL;
    if (b->enrich.tried && !b->enrich.parsed) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "none of the headers of %u assets could be read", b->enrich.tried);
        return false;
    }
    if (b->part_count == 0 && b->opt->single && !taco__build_open_part(b, "", err)) {
        return false; /* a collection of no records is a file of none */
    }
    for (i = 0; i < b->part_count; i++) {
        taco_pq_writer *w = b->parts[i].writer;
        b->parts[i].writer = NULL;
        if (taco_pq_writer_close(w, err) != TACO_OK) {
            return false;
        }
    }
    return true;
}
TACO__FN void taco__build_free(taco__build *b)
{
    size_t i;
    for (i = 0; i < b->part_count; i++) {
        if (b->parts[i].writer) {
            taco_pq_writer_abort(b->parts[i].writer);
        }
    }
    if (b->part_count < TACO__BUILD_MAX_PARTS && b->parts[b->part_count].writer) {
        taco_pq_writer_abort(b->parts[b->part_count].writer);
    }
    for (i = 0; i < b->count; i++) {
        taco__row_builder_free(&b->columns[i].made);
        taco__array_buf_free(&b->columns[i].taken);
    }
    for (i = 0; b->cuts && i < b->in_count; i++) {
        taco__array_buf_free(&b->cuts[i]);
    }
    taco_cursor_close(b->cursor, NULL);
    taco_close(b->ds);
    taco_pq_reader_close(b->reader, NULL);
    taco_pq_close(b->pq);
    taco__buf_free(&b->text);
    taco__buf_free(&b->part_of);
    taco__buf_free(&b->index);
    taco__buf_free(&b->codes);
    taco__arena_free(&b->enrich.arena);
    taco__arena_free(&b->arena);
}
/* Builds from what stands at source, or from the Parquet file src, which stays the caller's. */
TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err)
{
    taco__mem    mem;
    taco__build *b;
    taco_error   own;
    memset(&own, 0, sizeof own);
    taco__mem_init(&mem, opt->options);
    b = (taco__build *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) {
        return TACO_ERR_MEMORY;
    }
    b->mem = mem;
    b->opt = opt;
    b->plain = src != NULL;
    b->target = target;
    taco__options_init(&b->options, opt->options);
    b->arena.mem = b->text.mem = b->part_of.mem = b->index.mem = b->codes.mem = &b->mem;
    b->enrich.mem = b->enrich.arena.mem = &b->mem;
    b->enrich.options = &b->options;
    b->enrich.base = opt->base ? opt->base : "";
    if (taco__build_open_source(b, source, src, &own) && taco__build_columns_plan(b, &own) &&
        taco__build_file_key_values(b, source, &own)) {
        (void)taco__build_run(b, &own);
    }
    if (own.code != TACO_OK && !strstr(own.text, source)) {
        taco__error_prefix(&own, "%s", source);
    }
    taco__build_free(b);
    mem = b->mem;
    taco__mem_free(&mem, b, sizeof *b);
    if (err && err->code == TACO_OK && own.code != TACO_OK) {
        *err = own;
    }
    return own.code;
}
TACO_API taco_status taco_rasteret_build(const char *source, const char *target,
                                         const taco_rasteret_options *opt, taco_error *err)
{
    taco_rasteret_options usual;
    memset(&usual, 0, sizeof usual);
    if (!source || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          source ? "target" : "source");
    }
    return taco__build_collection(source, NULL, target, opt ? opt : &usual, err);
}

/* ---- to and from TACO ----------------------------------------------------------------------------- */

typedef struct
    taco__rasteret_convert { /* records of the files of a dataset, before they are a collection */
    taco__mem         mem;
    taco__arena       arena;
    taco_options      options;
    taco__enrich      enrich;
    taco_field        fields[4];
    taco__row_builder columns[4]; /* id, datetime, geometry, taco:vsi */
} taco__rasteret_convert;

/* The header of one file; NULL, and a warning, when it is no TIFF that can be used. */
TACO__FN taco_tiff *taco__rasteret_convert_open_tiff(taco__rasteret_convert *x, const char *vsi,
                                                     taco_error *err)
{
    taco__enrich_asset a;
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__bytes_text(vsi);
    x->enrich.assets = &a;
    if (!taco__enrich_resolve_href(&x->enrich, &a, err)) {
        return NULL;
    }
    taco__enrich_parse_asset(&x->enrich, 0);
    if (!a.tiff && x->options.warn) {
        taco__error_prefix(&a.err, "%q is left out", &a.href);
        x->options.warn(x->options.warn_ctx, &a.err);
    }
    return a.tiff;
}
/* The corners of an image as a WKB polygon in longitude and latitude. */
TACO__FN bool taco__rasteret_convert_corners_wkb(const taco_tiff_header *h, uint8_t wkb[93])
{
    static const uint8_t at[5][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}, {0, 1}};
    const double        *g = h->geotransform;
    size_t               i;
    memset(wkb, 0, 93);
    wkb[0] = wkb[5] = 1;
    wkb[1] = 3;
    wkb[9] = 5;
    for (i = 0; i < 5; i++) {
        double x = at[i][0] ? h->image_width : 0, y = at[i][1] ? h->image_height : 0, out[2];
        if (taco_lonlat(h->crs, g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5], out,
                        NULL) != TACO_OK) {
            return false;
        }
        taco__put_le64(wkb + 13 + 16 * i, taco__f64_to_bits(out[0]));
        taco__put_le64(wkb + 21 + 16 * i, taco__f64_to_bits(out[1]));
    }
    return true;
}
/* The first of the time columns that has a value, from the deepest level up. */
TACO__FN bool taco__rasteret_convert_read_time(taco_cursor *c, uint32_t depth, int64_t *us)
{
    static const char *const names[4] = {"stac:time_start", "istac:time_start", "datetime", NULL};
    uint32_t                 l;
    size_t                   k;
    char                     name[40];
    for (k = 0; names[k]; k++) {
        if (taco_cursor_int(c, names[k], us)) {
            return true;
        }
        for (l = depth + 1; l-- > 0;) {
            name[0] = 'l';
            name[1] = (char)('0' + l);
            name[2] = ':';
            memcpy(name + 3, names[k], strlen(names[k]) + 1);
            if (taco_cursor_int(c, name, us)) {
                return true;
            }
        }
    }
    return false;
}
/* The ids from the top down to the row. */
TACO__FN bool taco__rasteret_convert_append_path(taco_cursor *c, uint32_t depth, taco__buf *out,
                                                 taco_error *err)
{
    uint32_t l;
    out->len = 0;
    for (l = 0; l <= depth; l++) {
        char        name[6] = "l0:id";
        const char *id;
        name[1] = (char)('0' + l);
        id = taco_cursor_text(c, depth ? name : "id");
        if (id && ((out->len && !taco__buf_append_char(out, '/', err)) ||
                   !taco__buf_append_text(out, id, err))) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__rasteret_convert_add_record(taco__rasteret_convert *x, taco_cursor *c,
                                                uint32_t depth, taco__buf *text, taco_error *err)
{
    uint8_t    wkb[93];
    int64_t    us;
    taco_tiff *t = taco__rasteret_convert_open_tiff(x, taco_cursor_vsi(c), err);
    bool       ok = t && taco__rasteret_convert_corners_wkb(taco_tiff_get(t), wkb);
    taco_tiff_close(t);
    if (!ok) {
        return !err || err->code == TACO_OK;
    }
    return taco__rasteret_convert_append_path(c, depth, text, err) &&
           taco__row_builder_append_bytes(&x->columns[0], taco__bytes_of(text->data, text->len),
                                          err) &&
           (taco__rasteret_convert_read_time(c, depth, &us)
                ? taco__row_builder_append_int(&x->columns[1], us, err)
                : taco__row_builder_append_null(&x->columns[1], err)) &&
           taco__row_builder_append_bytes(&x->columns[2], taco__bytes_of(wkb, sizeof wkb), err) &&
           taco__row_builder_append_text(&x->columns[3], taco_cursor_vsi(c), err);
}
/* The records of a dataset as a Parquet file in memory. */
TACO__FN bool taco__rasteret_convert_write_records(taco__rasteret_convert *x, const char *dataset,
                                                   taco_sink *sink, taco_error *err)
{
    taco_query      q;
    taco_dataset   *ds = taco_open(dataset, &x->options, err);
    taco_cursor    *c;
    taco_array      arrays[4];
    taco_batch      batch;
    taco_pq_writer *w;
    taco__buf       text;
    uint32_t        depth = ds ? taco_levels(ds) - 1 : 0;
    size_t          i;
    bool            ok = true;
    memset(&q, 0, sizeof q);
    memset(&text, 0, sizeof text);
    text.mem = &x->mem;
    q.table = depth;
    q.flat = depth > 0;
    c = ds ? taco_select(ds, &q, err) : NULL;
    while (ok && c && taco_cursor_next(c)) {
        ok = taco__rasteret_convert_add_record(x, c, depth, &text, err);
    }
    ok = taco_cursor_close(c, err) == TACO_OK && c && ok;
    taco_close(ds);
    taco__buf_free(&text);
    for (i = 0; i < 4; i++) {
        taco__row_builder_array(&x->columns[i], &arrays[i]);
    }
    memset(&batch, 0, sizeof batch);
    batch.length = x->columns[0].length;
    batch.columns = arrays;
    batch.column_count = 4;
    if (!ok || taco_sink_memory(sink, &x->options, err) != TACO_OK) {
        return false;
    }
    w = taco_pq_write(sink, x->fields, 4, NULL, err);
    if (w && batch.length) {
        taco_pq_writer_batch(w, &batch);
    }
    return w && taco_pq_writer_close(w, err) == TACO_OK;
}
TACO__FN bool taco__rasteret_convert_init(taco__rasteret_convert      *x,
                                          const taco_rasteret_options *opt, taco_error *err)
{
    size_t i;
    memset(x, 0, sizeof *x);
    taco__mem_init(&x->mem, opt->options);
    taco__options_init(&x->options, opt->options);
    x->arena.mem = x->enrich.mem = x->enrich.arena.mem = &x->mem;
    x->enrich.options = &x->options;
    x->enrich.base = opt->base ? opt->base : "";
    x->fields[0] = taco__row_builder_field("id", TACO_TEXT);
    x->fields[1] = taco__row_builder_field("datetime", TACO_TIMESTAMP);
    x->fields[2] = taco__row_builder_field("geometry", TACO_BINARY);
    x->fields[3] = taco__row_builder_field("taco:vsi", TACO_TEXT);
    for (i = 0; i < 4; i++) {
        if (!taco__row_builder_init(&x->columns[i], &x->fields[i], &x->mem, &x->arena, err)) {
            return false;
        }
    }
    return true;
}
TACO__FN void taco__rasteret_convert_free(taco__rasteret_convert *x)
{
    size_t i;
    for (i = 0; i < 4; i++) {
        taco__row_builder_free(&x->columns[i]);
    }
    taco__arena_free(&x->enrich.arena);
    taco__arena_free(&x->arena);
}
TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err)
{
    static const taco_rasteret_band band = {"data", 0};
    taco__rasteret_convert          x;
    taco_rasteret_options           o;
    taco_sink                       sink;
    taco_error                      own;
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    memset(&sink, 0, sizeof sink);
    o = opt ? *opt : o;
    o.rename_count = o.rewrite_count = 0;
    o.href_column = "taco:vsi";
    o.bands = &band;
    o.band_count = 1;
    o.enrich = true;
    if (!dataset || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          dataset ? "target" : "dataset");
    }
    if (taco__rasteret_convert_init(&x, &o, &own) &&
        taco__rasteret_convert_write_records(&x, dataset, &sink, &own)) {
        taco_source src;
        taco_bytes  bytes = taco_sink_bytes(&sink);
        taco_source_memory(&src, bytes.data, bytes.len);
        (void)taco__build_collection(dataset, &src, target, &o, &own);
    }
    if (sink.ctx) {
        taco_sink_free(&sink);
    }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) {
        *err = own;
    }
    return own.code;
}

/* The path that the first band of a record names: taco:vsi, else its href. */
TACO__FN taco_bytes taco__rasteret_convert_asset_path(const taco_batch *b, size_t row)
{
    taco_bytes href = taco__bytes_of(NULL, 0);
    int64_t    index;
    size_t     i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (strcmp(a->field->name, "taco:vsi") == 0 && a->field->type == TACO_TEXT &&
            taco_array_valid(a, row)) {
            return taco_array_bytes(a, row);
        }
        if (strcmp(a->field->name, "assets") == 0 && a->field->child_count &&
            taco_array_valid(a, row)) {
            (void)taco__enrich_read_asset(&a->children[0], row, &href, &index);
        }
    }
    return href;
}
/* Adds the file of a record, and its columns. */
TACO__FN bool taco__rasteret_convert_add_sample(taco__rasteret_convert *x, taco_writer *w,
                                                const taco_batch *b, size_t row, taco_error *err)
{
    const taco_array  *id = NULL, *when = NULL;
    taco__enrich_asset a;
    taco_stac          s;
    taco_source        src;
    char              *name;
    size_t             i;
    int64_t            us;
    bool               ok;
    for (i = 0; i < b->column_count; i++) {
        id = strcmp(b->columns[i].field->name, "id") == 0 ? &b->columns[i] : id;
        when = strcmp(b->columns[i].field->name, "datetime") == 0 ? &b->columns[i] : when;
    }
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__rasteret_convert_asset_path(b, row);
    name = id ? taco__arena_text(&x->enrich.arena, taco_array_bytes(id, row), err) : NULL;
    if (!name || !taco__enrich_resolve_href(&x->enrich, &a, err) ||
        !taco__source_open_path(&x->options, a.path, &src, err)) {
        taco__error_prefix(err, "record %s", name ? name : "without an id");
        return false;
    }
    for (i = 0; name[i]; i++) { /* ids of samples are names */
        name[i] = name[i] == '/' ? '.' : name[i];
    }
    ok = taco_writer_range(w, name, &src, a.offset, a.size || a.offset ? a.size : src.size) ==
         TACO_OK;
    if (src.close) {
        src.close(src.ctx);
    }
    x->enrich.assets = &a;
    taco__enrich_parse_asset(&x->enrich, 0);
    if (ok && a.tiff && when && taco__build_values_read_time(when, row, &us, err) &&
        taco_stac_tiff(a.tiff, &s, NULL) == TACO_OK) {
        s.time_start = us;
        (void)taco_writer_set_stac(w, &s, NULL); /* a CRS that is not computed here: null columns */
    }
    taco_tiff_close(a.tiff);
    return ok && (!err || err->code == TACO_OK);
}
TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err)
{
    const taco_opener     *openers[2] = {&taco__rasteret_opener, NULL};
    taco_rasteret_options  usual;
    taco_create_options    c;
    taco__rasteret_convert x;
    taco_dataset          *ds = NULL;
    taco_cursor           *rows = NULL;
    taco_writer           *w = NULL;
    taco_batch             b;
    taco_error             own;
    size_t                 i;
    bool                   ok;
    memset(&usual, 0, sizeof usual);
    memset(&own, 0, sizeof own);
    memset(&c, 0, sizeof c);
    opt = opt ? opt : &usual;
    c = create ? *create : c;
    c.options = c.options ? c.options : opt->options;
    c.fill = true;
    ok = source && target && collection && taco__rasteret_convert_init(&x, opt, &own);
    if (!source || !target || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a source, a target and a collection are wanted");
    }
    x.options.openers = openers;
    ds = ok ? taco_open(source, &x.options, &own) : NULL;
    rows = ds ? taco_select(ds, NULL, &own) : NULL;
    w = rows ? taco_create(target, &c, &own) : NULL;
    ok = w && taco_writer_collection(w, collection, strlen(collection)) == TACO_OK &&
         taco_writer_stac_columns(w, 0) == TACO_OK;
    while (ok && taco_cursor_batch(rows, &b)) {
        for (i = 0; ok && i < b.length; i++) {
            ok = taco__rasteret_convert_add_sample(&x, w, &b, i, &own);
        }
    }
    if (rows && taco_cursor_close(rows, &own) != TACO_OK) {
        ok = false;
    }
    if (own.code != TACO_OK) {
        taco_writer_abort(w);
    } else if (w) {
        taco_writer_finish(w, &own);
    }
    taco_close(ds);
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) {
        *err = own;
    }
    return own.code;
}
