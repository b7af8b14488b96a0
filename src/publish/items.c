/* ==== ROOM items: batches of rows as batches of GeoParquet columns. Uses: base mem num geom cursor. Spec: GeoParquet
   1.1, STAC GeoParquet 1.1 ==== */

typedef enum taco__geoparquet_kind { /* how a column is made */
                                     TACO__GEOPARQUET_COPY,
                                     TACO__GEOPARQUET_GEOMETRY,
                                     TACO__GEOPARQUET_TEXT, /* the same in every row */
                                     TACO__GEOPARQUET_EXTENSIONS,
                                     TACO__GEOPARQUET_LINKS,
                                     TACO__GEOPARQUET_ASSETS,
                                     TACO__GEOPARQUET_TIME,
                                     TACO__GEOPARQUET_SHAPE,
                                     TACO__GEOPARQUET_TRANSFORM
} taco__geoparquet_kind;

typedef struct taco__geoparquet_column {
    taco__geoparquet_kind what;
    size_t                from, other; /* columns of the rows; TACO__NONE = none */
    const char           *text;
} taco__geoparquet_column;

typedef struct taco__geoparquet {
    taco_publish_options     how;
    const taco_field        *in;
    size_t                   in_count;
    taco__mem                mem;
    taco__arena              fixed, batch; /* for the whole file, for one batch */
    taco_field              *out;
    taco__geoparquet_column *columns;
    taco_array              *arrays;
    size_t                   count;
    taco_error               err;
} taco__geoparquet;

/* The first column of one of the names, and of a type that suits. */
TACO__FN size_t taco__geoparquet_find_column(const taco__geoparquet *x, const char *const *names,
                                             size_t n, bool (*suits)(const taco_field *f))
{
    size_t i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            if (strcmp(x->in[i].name, names[k]) == 0 && suits(&x->in[i])) {
                return i;
            }
        }
    }
    return TACO__NONE;
}
TACO__FN bool taco__geoparquet_is_text(const taco_field *f)
{
    return f->type == TACO_TEXT;
}
TACO__FN bool taco__geoparquet_is_geometry(const taco_field *f)
{
    return f->type == TACO_BINARY || f->type == TACO_TEXT;
}
TACO__FN bool taco__geoparquet_is_time(const taco_field *f)
{
    return f->type == TACO_TIMESTAMP || f->type == TACO_DATE || f->type == TACO_INT64 ||
           f->type == TACO_INT32 || f->type == TACO_DOUBLE;
}
TACO__FN bool taco__geoparquet_is_numbers(const taco_field *f)
{
    return f->type == TACO_LIST &&
           (f->children[0].type == TACO_INT64 || f->children[0].type == TACO_INT32 ||
            f->children[0].type == TACO_DOUBLE || f->children[0].type == TACO_FLOAT);
}

/* ---- columns that go out ---- */

TACO__FN taco_field *taco__geoparquet_add_column(taco__geoparquet *x, const char *name,
                                                 taco_type type, taco__geoparquet_kind what,
                                                 size_t from)
{
    taco_field              *f = &x->out[x->count];
    taco__geoparquet_column *c = &x->columns[x->count++];
    memset(f, 0, sizeof *f);
    memset(c, 0, sizeof *c);
    f->name = name;
    f->type = type;
    f->nullable = true;
    c->what = what;
    c->from = from;
    c->other = TACO__NONE;
    return f;
}
TACO__FN void taco__geoparquet_add_text(taco__geoparquet *x, const char *name, const char *text)
{
    taco__geoparquet_add_column(x, name, TACO_TEXT, TACO__GEOPARQUET_TEXT, TACO__NONE);
    x->columns[x->count - 1].text = text;
}
TACO__FN taco_field *taco__geoparquet_add_children(taco__geoparquet *x, taco_field *f, size_t n)
{
    taco_field *c = (taco_field *)taco__arena_array(&x->fixed, n, sizeof *c, &x->err);
    if (c) {
        memset(c, 0, n * sizeof *c);
        f->children = c;
        f->child_count = (uint32_t)n;
    }
    return c;
}
TACO__FN void taco__geoparquet_init_field(taco_field *f, const char *name, taco_type type)
{
    f->name = name;
    f->type = type;
    f->nullable = true;
}
/* LIST of texts, or of numbers. Items are called "element", as Parquet's LogicalTypes.md wants it of lists. */
TACO__FN bool taco__geoparquet_init_list(taco__geoparquet *x, taco_field *f, taco_type type)
{
    taco_field *c = taco__geoparquet_add_children(x, f, 1);
    if (c) {
        taco__geoparquet_init_field(c, "element", type);
        c->width = type == TACO_TEXT ? 0 : 8;
    }
    return c != NULL;
}
/* Every column that has no place of its own; what we made goes before one of the same name, and internal:* says where
   things lie in this dataset, which means nothing outside of it. */
TACO__FN void taco__geoparquet_copy_others(taco__geoparquet *x, const bool *used)
{
    size_t i, k;
    for (i = 0; i < x->in_count; i++) {
        const char *name = x->in[i].name;
        bool        taken = used[i] || strncmp(name, "internal:", 9) == 0;
        for (k = 0; k < x->count; k++) {
            taken = taken || strcmp(x->out[k].name, name) == 0;
        }
        if (!taken) {
            *taco__geoparquet_add_column(x, name, TACO_NULL, TACO__GEOPARQUET_COPY, i) = x->in[i];
        }
    }
}
TACO__FN size_t taco__geoparquet_find_geometry(taco__geoparquet *x)
{
    static const char *const names[] = {"stac:centroid", "istac:centroid", "geometry",
                                        "istac:geometry"};
    size_t at = x->how.geometry_column ? taco__geoparquet_find_column(x, &x->how.geometry_column, 1,
                                                                      taco__geoparquet_is_geometry)
                                       : taco__geoparquet_find_column(x, names, TACO__COUNT(names),
                                                                      taco__geoparquet_is_geometry);
    if (at == TACO__NONE) {
        taco_bytes name =
            taco__bytes_text(x->how.geometry_column ? x->how.geometry_column : names[0]);
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no geometry to publish: there is no column %q of WKB or text", &name);
    }
    return at;
}
/* The geometry goes out under the name `geometry`; its column stays under its own, unless that is the name. */
TACO__FN bool taco__geoparquet_add_geo_columns(taco__geoparquet *x, bool *used)
{
    size_t at = taco__geoparquet_find_geometry(x);
    if (at == TACO__NONE) {
        return false;
    }
    used[at] = strcmp(x->in[at].name, "geometry") == 0;
    taco__geoparquet_copy_others(x, used);
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY, TACO__GEOPARQUET_GEOMETRY, at);
    return true;
}
/* A child for every field of assets.data: href, type, roles. */
TACO__FN bool taco__geoparquet_add_assets(taco__geoparquet *x, size_t href, size_t id)
{
    taco_field *f = taco__geoparquet_add_column(x, "assets", TACO_STRUCT, TACO__GEOPARQUET_ASSETS,
                                                href),
               *data, *c;
    x->columns[x->count - 1].other = id;
    data = taco__geoparquet_add_children(x, f, 1);
    if (!data) {
        return false;
    }
    taco__geoparquet_init_field(data, "data", TACO_STRUCT);
    c = taco__geoparquet_add_children(x, data, 3);
    if (!c) {
        return false;
    }
    taco__geoparquet_init_field(&c[0], "href", TACO_TEXT);
    taco__geoparquet_init_field(&c[1], "type", TACO_TEXT);
    taco__geoparquet_init_field(&c[2], "roles", TACO_LIST);
    return taco__geoparquet_init_list(x, &c[2], TACO_TEXT);
}
/* An empty list in rows of no collection: STAC wants links in every item. */
TACO__FN bool taco__geoparquet_add_links(taco__geoparquet *x)
{
    taco_field *f = taco__geoparquet_add_column(x, "links", TACO_LIST, TACO__GEOPARQUET_LINKS,
                                                TACO__NONE),
               *link, *c;
    link = taco__geoparquet_add_children(x, f, 1);
    if (!link) {
        return false;
    }
    taco__geoparquet_init_field(link, "element", TACO_STRUCT);
    c = taco__geoparquet_add_children(x, link, 3);
    if (!c) {
        return false;
    }
    taco__geoparquet_init_field(&c[0], "href", TACO_TEXT);
    taco__geoparquet_init_field(&c[1], "rel", TACO_TEXT);
    taco__geoparquet_init_field(&c[2], "type", TACO_TEXT);
    return true;
}
/* STAC GeoParquet: times are UTC timestamps. `other` is taken where `from` is null. */
TACO__FN void taco__geoparquet_add_time(taco__geoparquet *x, const char *name, size_t from,
                                        size_t other)
{
    taco_field *f =
        taco__geoparquet_add_column(x, name, TACO_TIMESTAMP, TACO__GEOPARQUET_TIME, from);
    f->unit = TACO_MICRO;
    f->utc = true;
    f->width = 8;
    x->columns[x->count - 1].other = other;
}
/* STAC projection extension v2.0.0: code, shape and transform, of what the rows have of them. */
TACO__FN bool taco__geoparquet_add_projection(taco__geoparquet *x, bool *used)
{
    static const char *const        crs[] = {"stac:crs", "istac:crs"},
                             *const shape[] = {"stac:tensor_shape", "stac:raster_shape"},
                             *const transform[] = {"stac:geotransform"};
    size_t                          at[3], i;
    bool                            any = false;
    at[0] = taco__geoparquet_find_column(x, crs, 2, taco__geoparquet_is_text);
    at[1] = taco__geoparquet_find_column(x, shape, 2, taco__geoparquet_is_numbers);
    at[2] = taco__geoparquet_find_column(x, transform, 1, taco__geoparquet_is_numbers);
    for (i = 0; i < 3; i++) {
        any = any || at[i] != TACO__NONE;
        used[at[i] == TACO__NONE ? 0 : at[i]] |= at[i] != TACO__NONE;
    }
    x->columns[2].from = any ? 1 : TACO__NONE; /* stac_extensions names it where it is used */
    if (at[0] != TACO__NONE) {
        *taco__geoparquet_add_column(x, "", TACO_TEXT, TACO__GEOPARQUET_COPY, at[0]) = x->in[at[0]];
        x->out[x->count - 1].name = "proj:code";
    }
    return (at[1] == TACO__NONE ||
            taco__geoparquet_init_list(x,
                                       taco__geoparquet_add_column(x, "proj:shape", TACO_LIST,
                                                                   TACO__GEOPARQUET_SHAPE, at[1]),
                                       TACO_INT64)) &&
           (at[2] == TACO__NONE ||
            taco__geoparquet_init_list(x,
                                       taco__geoparquet_add_column(x, "proj:transform", TACO_LIST,
                                                                   TACO__GEOPARQUET_TRANSFORM,
                                                                   at[2]),
                                       TACO_DOUBLE));
}
TACO__FN bool taco__geoparquet_add_stac_columns(taco__geoparquet *x, bool *used)
{
    static const char *const        ids[] = {"id", "tortilla:id"},
                             *const hrefs[] = {"internal:gdal_vsi", "internal:subfile"},
                             *const starts[] = {"stac:time_start", "istac:time_start"},
                             *const ends[] = {"stac:time_end", "istac:time_end"};
    size_t                          at = taco__geoparquet_find_geometry(x), id, href, start, end;
    if (at == TACO__NONE) {
        return false;
    }
    id = taco__geoparquet_find_column(x, ids, 2, taco__geoparquet_is_text);
    href = taco__geoparquet_find_column(x, hrefs, 2, taco__geoparquet_is_text);
    start = taco__geoparquet_find_column(x, starts, 2, taco__geoparquet_is_time);
    end = taco__geoparquet_find_column(x, ends, 2, taco__geoparquet_is_time);
    if (id == TACO__NONE || start == TACO__NONE) {
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no items without column %s",
                   id == TACO__NONE ? "'id'" : "'stac:time_start'");
        return false;
    }
    used[at] = used[id] = used[start] = true;
    if (end != TACO__NONE) {
        used[end] = true;
    }
    taco__geoparquet_add_text(x, "type", "Feature");
    taco__geoparquet_add_text(x, "stac_version", "1.1.0");
    taco__geoparquet_add_column(x, "stac_extensions", TACO_LIST, TACO__GEOPARQUET_EXTENSIONS,
                                TACO__NONE);
    if (!taco__geoparquet_init_list(x, &x->out[x->count - 1], TACO_TEXT)) {
        return false;
    }
    *taco__geoparquet_add_column(x, "", TACO_TEXT, TACO__GEOPARQUET_COPY, id) = x->in[id];
    x->out[x->count - 1].name = "id";
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY, TACO__GEOPARQUET_GEOMETRY, at);
    if (!taco__geoparquet_add_links(x)) {
        return false;
    }
    if (x->how.id && x->how.href) { /* an item in a collection has to link to it */
        taco__geoparquet_add_text(x, "collection", x->how.id);
    }
    if (!taco__geoparquet_add_assets(x, href, id)) {
        return false;
    }
    /* STAC: datetime may only be null where the other two are there; all three are written, so that readers need not ask */
    taco__geoparquet_add_time(x, "datetime", start, TACO__NONE);
    taco__geoparquet_add_time(x, "start_datetime", start, TACO__NONE);
    taco__geoparquet_add_time(x, "end_datetime", end == TACO__NONE ? start : end, start);
    if (!taco__geoparquet_add_projection(x, used)) {
        return false;
    }
    taco__geoparquet_copy_others(x, used);
    return true;
}
TACO__FN bool taco__geoparquet_plan(taco__geoparquet *x)
{
    bool  *used = (bool *)taco__arena_array(&x->fixed, x->in_count + 1, sizeof *used, &x->err);
    size_t i, cap = x->in_count + 16; /* an item has fewer columns of its own */
    x->out = (taco_field *)taco__arena_array(&x->fixed, cap, sizeof *x->out, &x->err);
    x->columns =
        (taco__geoparquet_column *)taco__arena_array(&x->fixed, cap, sizeof *x->columns, &x->err);
    x->arrays = (taco_array *)taco__arena_array(&x->fixed, cap, sizeof *x->arrays, &x->err);
    if (!used || !x->out || !x->columns || !x->arrays) {
        return false;
    }
    memset(used, 0, (x->in_count + 1) * sizeof *used);
    switch (x->how.kind) {
    case TACO_PUBLISH_GEOPARQUET: return taco__geoparquet_add_geo_columns(x, used);
    case TACO_PUBLISH_STAC: return taco__geoparquet_add_stac_columns(x, used);
    default:
        for (i = 0; i < x->in_count; i++) {
            *taco__geoparquet_add_column(x, "", TACO_NULL, TACO__GEOPARQUET_COPY, i) = x->in[i];
        }
        return true;
    }
}

/* ---- arrays of one batch ---- */

TACO__FN void *taco__geoparquet_batch_alloc(taco__geoparquet *x, size_t n, size_t size)
{
    void *p = taco__arena_array(&x->batch, n + 1, size, &x->err);
    if (p) {
        memset(p, 0, (n + 1) * size);
    }
    return p;
}
TACO__FN void taco__geoparquet_batch_begin_array(taco_array *a, const taco_field *f, size_t n)
{
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
}
TACO__FN bool taco__geoparquet_batch_alloc_bitmap(taco__geoparquet *x, taco_array *a,
                                                  uint8_t **bits)
{
    *bits = (uint8_t *)taco__geoparquet_batch_alloc(x, TACO__BITMAP_BYTES(a->length), 1);
    a->validity = *bits;
    return *bits != NULL;
}
TACO__FN void taco__geoparquet_batch_end_array(taco_array *a)
{
    size_t i;
    for (a->null_count = 0, i = 0; i < a->length; i++) {
        a->null_count += !taco__bitmap_get(a->validity, i);
    }
    a->validity = a->null_count ? a->validity : NULL;
}
/* The same text in every row. */
TACO__FN bool taco__geoparquet_batch_constant_text(taco__geoparquet *x, taco_array *a,
                                                   const taco_field *f, size_t n, const char *text)
{
    size_t   len = strlen(text), i, bytes;
    int32_t *offsets;
    uint8_t *to;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!taco__checked_mul_size(n, len, &bytes) || bytes > INT32_MAX) {
        TACO__FAIL(&x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u texts of %u bytes in one batch",
                   TACO__U(n), TACO__U(len));
        return false;
    }
    offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    to = (uint8_t *)taco__geoparquet_batch_alloc(x, bytes, 1);
    if (!offsets || !to) {
        return false;
    }
    for (i = 0; i < n; i++) {
        memcpy(to + i * len, text, len);
        offsets[i + 1] = (int32_t)((i + 1) * len);
    }
    a->offsets = offsets;
    a->v.any = to;
    return true;
}
/* A list of one element, or of none, in every row. */
TACO__FN bool taco__geoparquet_batch_constant_list(taco__geoparquet *x, taco_array *a,
                                                   const taco_field *f, size_t n, bool one,
                                                   taco_array **child)
{
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    size_t   i;
    *child = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof **child);
    if (!offsets || !*child) {
        return false;
    }
    taco__geoparquet_batch_begin_array(a, f, n);
    for (i = 0; one && i <= n; i++) {
        offsets[i] = (int32_t)i;
    }
    a->offsets = offsets;
    a->children = *child;
    return true;
}
TACO__FN bool taco__geoparquet_batch_text_list(taco__geoparquet *x, taco_array *a,
                                               const taco_field *f, size_t n, const char *text)
{
    taco_array *child;
    return taco__geoparquet_batch_constant_list(x, a, f, n, text != NULL, &child) &&
           taco__geoparquet_batch_constant_text(x, child, f->children, text ? n : 0,
                                                text ? text : "");
}
TACO__FN bool taco__geoparquet_batch_links(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                           size_t n)
{
    const taco_field *c = f->children->children;
    taco_array *link, *parts = (taco_array *)taco__geoparquet_batch_alloc(x, 3, sizeof *parts);
    size_t      m = x->how.href ? n : 0;
    if (!parts || !taco__geoparquet_batch_constant_list(x, a, f, n, m > 0, &link)) {
        return false;
    }
    taco__geoparquet_batch_begin_array(link, f->children, m);
    link->children = parts;
    return taco__geoparquet_batch_constant_text(x, &parts[0], &c[0], m, m ? x->how.href : "") &&
           taco__geoparquet_batch_constant_text(x, &parts[1], &c[1], m, "collection") &&
           taco__geoparquet_batch_constant_text(x, &parts[2], &c[2], m, "application/json");
}
/* What GDAL opens as a raster by its name is one; of the rest nothing is known. */
TACO__FN const char *taco__geoparquet_batch_media_type(const taco_batch              *b,
                                                       const taco__geoparquet_column *c, size_t i)
{
    taco_bytes id = taco_array_bytes(&b->columns[c->other], i);
    if ((id.len > 4 && memcmp(id.data + id.len - 4, ".tif", 4) == 0) ||
        (id.len > 5 && memcmp(id.data + id.len - 5, ".tiff", 5) == 0)) {
        return "image/tiff; application=geotiff";
    }
    return "application/octet-stream";
}
TACO__FN bool taco__geoparquet_batch_media_types(taco__geoparquet *x, taco_array *a,
                                                 const taco_field *f, const taco_batch *b,
                                                 const taco__geoparquet_column *c)
{
    size_t   i, at = 0, n = b->length;
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    uint8_t *to =
        (uint8_t *)taco__geoparquet_batch_alloc(x, n, 32); /* the longer name has 31 bytes */
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !to) {
        return false;
    }
    for (i = 0; i < n; i++) {
        const char *text = taco__geoparquet_batch_media_type(b, c, i);
        memcpy(to + at, text, strlen(text));
        at += strlen(text);
        offsets[i + 1] = (int32_t)at;
    }
    a->offsets = offsets;
    a->v.any = to;
    return true;
}
TACO__FN bool taco__geoparquet_batch_assets(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                            const taco_batch *b, const taco__geoparquet_column *c)
{
    taco_array       *data = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof *data);
    taco_array       *parts = (taco_array *)taco__geoparquet_batch_alloc(x, 3, sizeof *parts);
    const taco_field *g = f->children->children;
    if (!data || !parts) {
        return false;
    }
    taco__geoparquet_batch_begin_array(a, f, b->length);
    taco__geoparquet_batch_begin_array(data, f->children, b->length);
    a->children = data;
    data->children = parts;
    if (c->from == TACO__NONE) {
        if (!taco__geoparquet_batch_constant_text(x, &parts[0], &g[0], b->length, "")) {
            return false;
        }
    } else {
        parts[0] = b->columns[c->from];
        parts[0].field = &g[0];
    }
    return taco__geoparquet_batch_media_types(x, &parts[1], &g[1], b, c) &&
           taco__geoparquet_batch_text_list(x, &parts[2], &g[2], b->length, "data");
}
/* POINT (x y), as Tortilla writes centroids, into WKB; false for anything else. */
TACO__FN bool taco__geoparquet_batch_parse_point(taco_bytes text, uint8_t wkb[21])
{
    double   xy[2];
    unsigned k;
    while (text.len && *text.data != '(') {
        text.data++, text.len--;
    }
    for (k = 0; k < 2; k++) {
        taco_bytes word;
        if (text.len == 0) {
            return false;
        }
        for (text.data++, text.len--; text.len && *text.data == ' '; text.data++, text.len--) {
        }
        word = taco__bytes_of(text.data, 0);
        while (word.len < text.len && text.data[word.len] != ' ' && text.data[word.len] != ')') {
            word.len++;
        }
        if (!taco__num_parse_f64(word, &xy[k])) {
            return false;
        }
        text.data += word.len, text.len -= word.len;
    }
    memset(wkb, 0, 21); /* WKB: byte order 1, type 1 (Point), x, y */
    wkb[0] = wkb[1] = 1;
    taco__put_le64(wkb + 5, taco__f64_to_bits(xy[0]));
    taco__put_le64(wkb + 13, taco__f64_to_bits(xy[1]));
    return true;
}
TACO__FN bool taco__geoparquet_batch_geometry(taco__geoparquet *x, taco_array *a,
                                              const taco_field *f, const taco_array *from)
{
    size_t   i, n = from->length;
    int32_t *offsets;
    uint8_t *to, *bits;
    if (from->field->type == TACO_BINARY) {
        *a = *from;
        a->field = f;
        return true;
    }
    offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    to = (uint8_t *)taco__geoparquet_batch_alloc(x, n, 21);
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !to || !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        taco_bytes text = taco_array_bytes(from, i);
        bool       good = text.data && taco__geoparquet_batch_parse_point(text, to + offsets[i]);
        if (text.data && !good) {
            TACO__FAIL(&x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "geometry %q is not POINT (x y)",
                       &text);
            return false;
        }
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
        offsets[i + 1] = offsets[i] + (good ? 21 : 0);
    }
    a->offsets = offsets;
    a->v.any = to;
    taco__geoparquet_batch_end_array(a);
    return true;
}
/* Microseconds since 1970 of row i; false when there is no time, or none that fits. */
TACO__FN bool taco__geoparquet_batch_read_time(const taco_array *a, size_t i, int64_t *out)
{
    static const int64_t each[4] = {1000000, 1000, 1, 1};
    int64_t              v = taco_array_int(a, i), by;
    if (!taco_array_valid(a, i)) {
        return false;
    }
    if (a->field->type == TACO_DOUBLE) {
        double d = taco_array_double(a, i) * 1e6;
        *out = d > -9.2e18 && d < 9.2e18 ? (int64_t)d : 0;
        return d > -9.2e18 && d < 9.2e18;
    }
    by = a->field->type == TACO_TIMESTAMP ? each[a->field->unit]
         : a->field->type == TACO_DATE    ? INT64_C(86400000000)
                                          : 1000000;
    if (a->field->type == TACO_TIMESTAMP && a->field->unit == TACO_NANO) {
        *out = v / 1000 - (v % 1000 < 0); /* rounds down, before 1970 too: C rounds to zero */
        return true;
    }
    if (v > INT64_MAX / by || v < INT64_MIN / by) {
        return false;
    }
    *out = v * by;
    return true;
}
TACO__FN bool taco__geoparquet_batch_times(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                           const taco_batch *b, const taco__geoparquet_column *c)
{
    size_t   i, n = b->length;
    int64_t *v = (int64_t *)taco__geoparquet_batch_alloc(x, n, sizeof *v);
    uint8_t *bits;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!v || !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        bool good = taco__geoparquet_batch_read_time(&b->columns[c->from], i, &v[i]) ||
                    (c->other != TACO__NONE &&
                     taco__geoparquet_batch_read_time(&b->columns[c->other], i, &v[i]));
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
    }
    a->v.any = v;
    taco__geoparquet_batch_end_array(a);
    return true;
}
/* The last two sizes of a tensor; or the six numbers of a geotransform, by rows of the matrix (STAC projection
   extension). */
TACO__FN bool taco__geoparquet_batch_numbers(taco__geoparquet *x, taco_array *a,
                                             const taco_field *f, const taco_array *from,
                                             bool transform)
{
    static const size_t order[6] = {1, 2, 0, 4, 5, 3};
    size_t              i, k, n = from->length, each = transform ? 6 : 2, at = 0;
    int32_t    *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    double     *reals = (double *)taco__geoparquet_batch_alloc(x, n * each, sizeof *reals);
    int64_t    *whole = (int64_t *)taco__geoparquet_batch_alloc(x, n * each, sizeof *whole);
    taco_array *child = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof *child);
    uint8_t    *bits;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !reals || !whole || !child ||
        !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t first = (size_t)from->offsets[i], len = (size_t)from->offsets[i + 1] - first;
        bool   good = taco_array_valid(from, i) && (transform ? len == 6 : len >= 2);
        for (k = 0; good && k < each; k++) {
            size_t j = first + (transform ? order[k] : len - 2 + k);
            if (transform) {
                reals[at++] = taco_array_double(from->children, j);
            } else {
                whole[at++] = taco_array_int(from->children, j);
            }
        }
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
        offsets[i + 1] = (int32_t)at;
    }
    taco__geoparquet_batch_begin_array(child, f->children, at);
    child->v.any = transform ? (const void *)reals : (const void *)whole;
    a->offsets = offsets;
    a->children = child;
    taco__geoparquet_batch_end_array(a);
    return true;
}
TACO__FN bool taco__geoparquet_batch_make_column(taco__geoparquet *x, size_t k, const taco_batch *b)
{
    static const char projection[] =
        "https://stac-extensions.github.io/projection/v2.0.0/schema.json";
    const taco__geoparquet_column *c = &x->columns[k];
    const taco_field              *f = &x->out[k];
    taco_array                    *a = &x->arrays[k];
    switch (c->what) {
    case TACO__GEOPARQUET_GEOMETRY:
        return taco__geoparquet_batch_geometry(x, a, f, &b->columns[c->from]);
    case TACO__GEOPARQUET_TEXT:
        return taco__geoparquet_batch_constant_text(x, a, f, b->length, c->text);
    case TACO__GEOPARQUET_EXTENSIONS:
        return taco__geoparquet_batch_text_list(x, a, f, b->length,
                                                c->from == TACO__NONE ? NULL : projection);
    case TACO__GEOPARQUET_LINKS: return taco__geoparquet_batch_links(x, a, f, b->length);
    case TACO__GEOPARQUET_ASSETS: return taco__geoparquet_batch_assets(x, a, f, b, c);
    case TACO__GEOPARQUET_TIME: return taco__geoparquet_batch_times(x, a, f, b, c);
    case TACO__GEOPARQUET_SHAPE:
    case TACO__GEOPARQUET_TRANSFORM:
        return taco__geoparquet_batch_numbers(x, a, f, &b->columns[c->from],
                                              c->what == TACO__GEOPARQUET_TRANSFORM);
    default:
        *a = b->columns[c->from];
        a->field = f;
        return true;
    }
}
/* The batch as it goes out; it lives until the next call. */
TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b, taco_batch *out)
{
    size_t k;
    taco__arena_free(&x->batch);
    for (k = 0; k < x->count; k++) {
        if (!taco__geoparquet_batch_make_column(x, k, b)) {
            return false;
        }
    }
    *out = *b;
    out->columns = x->arrays;
    out->column_count = x->count;
    return true;
}
