/* ==== ROOM ext: columns and fields of the known extensions. Uses: make geom func tiff pq:text. Spec: TACO 2.0
   §8, OGC 19-008r4; Karney 2011 for UTM ==== */

/* ---- columns made row by row ---------------------------------------------------------------------- */

/* Grows by one row at a time, nested ones through their children. The buffers are reused from batch to batch. */
typedef struct taco__row_builder {
    const taco_field         *field;
    size_t                    length, nulls;
    taco__buf                 validity, offsets, values;
    struct taco__row_builder *child; /* field->child_count of them */
    taco_array               *arrays;
} taco__row_builder;

TACO__FN void taco__row_builder_reset(taco__row_builder *c)
{
    uint32_t i;
    c->length = c->nulls = 0;
    c->validity.len = c->offsets.len = c->values.len = 0;
    for (i = 0; i < c->field->child_count; i++) {
        taco__row_builder_reset(&c->child[i]);
    }
}
TACO__FN bool taco__row_builder_init(taco__row_builder *c, const taco_field *f, taco__mem *mem,
                                     taco__arena *arena, taco_error *err)
{
    uint32_t i;
    memset(c, 0, sizeof *c);
    c->field = f;
    c->validity.mem = c->offsets.mem = c->values.mem = mem;
    c->child =
        (taco__row_builder *)taco__arena_array(arena, f->child_count + 1, sizeof *c->child, err);
    c->arrays = (taco_array *)taco__arena_array(arena, f->child_count + 1, sizeof *c->arrays, err);
    for (i = 0; c->child && c->arrays && i < f->child_count; i++) {
        if (!taco__row_builder_init(&c->child[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return c->child && c->arrays;
}
TACO__FN void taco__row_builder_free(taco__row_builder *c)
{
    uint32_t i;
    if (!c->field) {
        return;
    }
    taco__buf_free(&c->validity);
    taco__buf_free(&c->offsets);
    taco__buf_free(&c->values);
    for (i = 0; c->child && i < c->field->child_count; i++) {
        taco__row_builder_free(&c->child[i]);
    }
}
TACO__FN bool taco__row_builder_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST;
}
/* Counts a row, valid or not, whose values are there; those with offsets end here. */
TACO__FN bool taco__row_builder_end_row(taco__row_builder *c, bool valid, taco_error *err)
{
    int32_t  end, zero = 0;
    uint64_t bits = 0;
    size_t   total = c->field->type == TACO_LIST ? c->child[0].length : c->values.len;
    if ((c->length & 63) == 0 && !taco__buf_append(&c->validity, &bits, 8, err)) {
        return false;
    }
    if (valid) {
        taco__bitmap_set(c->validity.data, c->length);
    }
    c->nulls += !valid;
    c->length++;
    if (!taco__row_builder_has_offsets(c->field)) {
        return true;
    }
    if (total > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u bytes or elements in a batch of one column", TACO__U(total));
        return false;
    }
    end = (int32_t)total;
    return (c->length > 1 || taco__buf_append(&c->offsets, &zero, 4, err)) &&
           taco__buf_append(&c->offsets, &end, 4, err);
}
TACO__FN bool taco__row_builder_append_null(taco__row_builder *c, taco_error *err)
{
    static const uint8_t zero[16] = {0};
    uint32_t             i;
    if (!taco__row_builder_has_offsets(c->field) && c->field->type != TACO_STRUCT &&
        !taco__buf_append(&c->values, zero, (size_t)c->field->width, err)) {
        return false;
    }
    for (i = 0; c->field->type == TACO_STRUCT && i < c->field->child_count; i++) {
        if (!taco__row_builder_append_null(&c->child[i], err)) {
            return false;
        }
    }
    return taco__row_builder_end_row(c, false, err);
}
TACO__FN bool taco__row_builder_append_int(taco__row_builder *c, int64_t x, taco_error *err)
{
    int32_t narrow = (int32_t)x;
    return taco__buf_append(&c->values, c->field->width == 4 ? (const void *)&narrow : &x,
                            (size_t)c->field->width, err) &&
           taco__row_builder_end_row(c, true, err);
}
TACO__FN bool taco__row_builder_append_double(taco__row_builder *c, double x, taco_error *err)
{
    float narrow = (float)x;
    return taco__buf_append(&c->values, c->field->width == 4 ? (const void *)&narrow : &x,
                            (size_t)c->field->width, err) &&
           taco__row_builder_end_row(c, true, err);
}
TACO__FN bool taco__row_builder_append_bytes(taco__row_builder *c, taco_bytes b, taco_error *err)
{
    return taco__buf_append(&c->values, b.data, b.len, err) &&
           taco__row_builder_end_row(c, true, err);
}
TACO__FN bool taco__row_builder_append_text(taco__row_builder *c, const char *s, taco_error *err)
{
    return s ? taco__row_builder_append_bytes(c, taco__bytes_text(s), err)
             : taco__row_builder_append_null(c, err);
}
/* A list of n numbers; NULL = null. */
TACO__FN bool taco__row_builder_append_doubles(taco__row_builder *c, const double *v, size_t n,
                                               taco_error *err)
{
    size_t i;
    for (i = 0; v && i < n; i++) {
        if (!taco__row_builder_append_double(&c->child[0], v[i], err)) {
            return false;
        }
    }
    return taco__row_builder_end_row(c, v != NULL, err);
}
TACO__FN bool taco__row_builder_append_ints(taco__row_builder *c, const int64_t *v, size_t n,
                                            taco_error *err)
{
    size_t i;
    for (i = 0; v && i < n; i++) {
        if (!taco__row_builder_append_int(&c->child[0], v[i], err)) {
            return false;
        }
    }
    return taco__row_builder_end_row(c, v != NULL, err);
}
/* n rows of 8 bytes each at once, all valid; NULL when there is no memory. The caller fills them. */
TACO__FN uint64_t *taco__row_builder_append_unset(taco__row_builder *c, size_t n, taco_error *err)
{
    size_t bits = ((c->length + n + 63) / 64) * 8, i, bytes;
    if (!taco__checked_mul_size(n, 8, &bytes) || !taco__buf_reserve(&c->values, bytes, err) ||
        !taco__buf_reserve(&c->validity, bits - c->validity.len, err)) {
        return NULL;
    }
    memset(c->validity.data + c->validity.len, 0, bits - c->validity.len);
    c->validity.len = bits;
    for (i = c->length; i < c->length + n; i++) {
        taco__bitmap_set(c->validity.data, i);
    }
    c->length += n;
    c->values.len += bytes;
    return (uint64_t *)(void *)(c->values.data + c->values.len - bytes);
}
/* The rows so far; lives until the column is cleared or grows. */
TACO__FN taco_array *taco__row_builder_array(taco__row_builder *c, taco_array *out)
{
    static const int32_t none[2] = {0, 0};
    uint32_t             i;
    memset(out, 0, sizeof *out);
    out->field = c->field;
    out->length = c->length;
    out->null_count = c->nulls;
    out->validity = c->nulls ? c->validity.data : NULL;
    out->v.any = c->values.data;
    if (taco__row_builder_has_offsets(c->field)) {
        out->offsets = c->length ? (const int32_t *)(const void *)c->offsets.data : none;
    }
    for (i = 0; i < c->field->child_count; i++) {
        taco__row_builder_array(&c->child[i], &c->arrays[i]);
    }
    out->children = c->field->child_count ? c->arrays : NULL;
    return out;
}
/* A field of a type without parameters but the width of its values. */
TACO__FN taco_field taco__row_builder_field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = TACO_MICRO;
    f.width = type == TACO_INT32 || type == TACO_FLOAT                              ? 4
              : type == TACO_INT64 || type == TACO_DOUBLE || type == TACO_TIMESTAMP ? 8
                                                                                    : 0;
    return f;
}
TACO__FN taco_field taco__row_builder_nested_field(const char *name, taco_type type,
                                                   const taco_field *children, uint32_t n)
{
    taco_field f = taco__row_builder_field(name, type);
    f.children = children;
    f.child_count = n;
    return f;
}

/* ---- functions of angles, without libm ------------------------------------------------------------ */

#define TACO__PROJECTION_PI 3.14159265358979323846

/* Taylor series on [-pi/4, pi/4]; the turns are taken off in two steps so that no bit of small multiples is lost. */
TACO__FN void taco__projection_sincos(double x, double *s, double *c)
{
    double   turns = x * (2 / TACO__PROJECTION_PI), y, y2, term, sine, cosine;
    int64_t  k = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    unsigned i;
    y = (x - (double)k * 1.5707963267948966) - (double)k * 6.123233995736766e-17;
    y2 = y * y;
    sine = cosine = 0;
    for (i = 11; i > 0; i--) { /* Horner, from the smallest term */
        term = 1.0 / ((2.0 * i) * (2.0 * i + 1));
        sine = -y2 * term * (1 + sine);
        term = 1.0 / ((2.0 * i) * (2.0 * i - 1));
        cosine = -y2 * term * (1 + cosine);
    }
    sine = y + y * sine;
    cosine = 1 + cosine;
    switch ((unsigned)(k & 3)) {
    case 0: *s = sine, *c = cosine; break;
    case 1: *s = cosine, *c = -sine; break;
    case 2: *s = -sine, *c = -cosine; break;
    default: *s = -cosine, *c = sine; break;
    }
}
/* e^x for |x| up to about 700. */
TACO__FN double taco__projection_exp(double x)
{
    int64_t  k = (int64_t)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    double   y = (x - (double)k * 0.6931471803691238) - (double)k * 1.9082149292705877e-10, sum = 0;
    unsigned i;
    for (i = 18; i > 0; i--) {
        sum = y / i * (1 + sum);
    }
    return k < -1000 ? 0 : (1 + sum) * taco__f64_from_bits((uint64_t)(k + 1023) << 52);
}
TACO__FN double taco__projection_sinh(double x)
{
    double   x2 = x * x, sum = 0, e;
    unsigned i;
    if (x2 < 1) {
        for (i = 10; i > 0; i--) {
            sum = x2 / ((2.0 * i) * (2.0 * i + 1)) * (1 + sum);
        }
        return x + x * sum;
    }
    e = taco__projection_exp(x);
    return (e - 1 / e) / 2;
}
TACO__FN double taco__projection_cosh(double x)
{
    double e = taco__projection_exp(x);
    return (e + 1 / e) / 2;
}
/* The angle of the direction (x, y), in radians, -pi to pi: a series of the tangent after two halvings of the angle. */
TACO__FN double taco__projection_atan2(double y, double x)
{
    double   ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, t, t2, sum = 0, angle;
    unsigned i;
    bool     steep = ay > ax;
    if (ax + ay <= 0) {
        return 0;
    }
    t = steep ? ax / ay : ay / ax;
    t = t / (1 + taco__math_sqrt(1 + t * t));
    t = t / (1 + taco__math_sqrt(1 + t * t));
    t2 = t * t;
    for (i = 20; i > 0; i--) {
        sum = -t2 * (1.0 / (2.0 * i + 1) + sum);
    }
    angle = 4 * (t + t * sum);
    angle = steep ? TACO__PROJECTION_PI / 2 - angle : angle;
    angle = x < 0 ? TACO__PROJECTION_PI - angle : angle;
    return y < 0 ? -angle : angle;
}

/* ---- projections ---------------------------------------------------------------------------------- */

/* Longitude and latitude in radians of a point of a transverse Mercator projection, by Krueger's series to the sixth order
   of the third flattening n (Karney, Transverse Mercator with an accuracy of a few nanometers, 2011, (36), (19) to (21)).
   x and y are over the scale and the rectifying radius. */
TACO__FN void taco__projection_inverse_mercator(double n, double xi, double eta, double *lon,
                                                double *lat)
{
    const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
    const double beta[6] = {
        n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360 - n5 * 81 / 512 + n6 * 96199 / 604800,
        n2 / 48 + n3 / 15 - n4 * 437 / 1440 + n5 * 46 / 105 - n6 * 1118711 / 3870720,
        n3 * 17 / 480 - n4 * 37 / 840 - n5 * 209 / 4480 + n6 * 5569 / 90720,
        n4 * 4397 / 161280 - n5 * 11 / 504 - n6 * 830251 / 7257600,
        n5 * 4583 / 161280 - n6 * 108847 / 3991680,
        n6 * 20648693 / 638668800};
    const double f = 2 * n / (1 + n), e2 = f * (2 - f), e = taco__math_sqrt(e2);
    double       x = xi, h = eta, s, c, sh, tau, want, u, v;
    unsigned     j;
    for (j = 1; j <= 6; j++) {
        taco__projection_sincos(2 * j * xi, &s, &c);
        x -= beta[j - 1] * s * taco__projection_cosh(2 * j * eta);
        h -= beta[j - 1] * c * taco__projection_sinh(2 * j * eta);
    }
    taco__projection_sincos(x, &s, &c);
    sh = taco__projection_sinh(h);
    *lon = taco__projection_atan2(sh, c);
    want = s / taco__math_sqrt(sh * sh + c * c); /* tangent of the conformal latitude */
    tau = want / (1 - e2);
    for (j = 0; j < 6; j++) { /* Newton: three steps are enough but near the poles */
        double root = taco__math_sqrt(1 + tau * tau), k = e * tau / root, k2 = k * k, at = 0, sigma,
               got;
        unsigned i;
        for (i = 12; i > 0; i--) {
            at = k2 * (1.0 / (2.0 * i + 1) + at);
        }
        sigma = taco__projection_sinh(e * (k + k * at));
        got = tau * taco__math_sqrt(1 + sigma * sigma) - sigma * root;
        u = (want - got) / taco__math_sqrt(1 + got * got);
        v = (1 + (1 - e2) * tau * tau) / ((1 - e2) * root);
        tau += u * v;
    }
    *lat = taco__projection_atan2(tau, 1);
}
TACO__FN void taco__projection_inverse_utm(int32_t zone, bool south, double flattening, double x,
                                           double y, double out[2])
{
    const double a = 6378137, n = flattening / (2 - flattening), n2 = n * n;
    const double radius = a / (1 + n) * (1 + n2 / 4 + n2 * n2 / 64 + n2 * n2 * n2 / 256);
    double       lon, lat;
    taco__projection_inverse_mercator(n, (y - (south ? 10000000 : 0)) / (0.9996 * radius),
                                      (x - 500000) / (0.9996 * radius), &lon, &lat);
    out[0] = lon * (180 / TACO__PROJECTION_PI) + (zone * 6 - 183);
    out[1] = lat * (180 / TACO__PROJECTION_PI);
    out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0;
}
/* The code behind the last `mark` in text, digits up to `end`; 0 when there is none. */
TACO__FN int32_t taco__projection_number_after(const char *text, const char *mark, char end)
{
    const char *at = text, *last = NULL;
    uint64_t    x = 0;
    size_t      n = strlen(mark), k;
    while ((at = strstr(at, mark)) != NULL) {
        last = at + n;
        at++;
    }
    for (k = 0; last && taco__ascii_is_digit((uint8_t)last[k]); k++) {
    }
    return last && (end == 0 ? last[k] == 0 : last[k] == end) &&
                   taco__num_parse_u64(taco__bytes_of(last, k), &x) && x <= INT32_MAX
               ? (int32_t)x
               : 0;
}
/* EPSG code of a CRS: EPSG:n, urn:...:EPSG:...:n, WKT's last ID or AUTHORITY. CRS84 counts as 4326: x is longitude. */
TACO__FN int32_t taco__projection_epsg_code(const char *crs)
{
    int32_t code;
    if (strncmp(crs, "EPSG:", 5) == 0 || strncmp(crs, "epsg:", 5) == 0) {
        return taco__projection_number_after(crs, ":", 0);
    }
    if (strcmp(crs, "OGC:CRS84") == 0 || strcmp(crs, "CRS84") == 0 ||
        strcmp(crs, "urn:ogc:def:crs:OGC:1.3:CRS84") == 0) {
        return 4326;
    }
    if (strncmp(crs, "urn:ogc:def:crs:EPSG:", 21) == 0) {
        return taco__projection_number_after(crs, ":", 0);
    }
    if (strchr(crs, '[')) {
        code = taco__projection_number_after(crs, "ID[\"EPSG\",", ']');
        return code ? code : taco__projection_number_after(crs, "AUTHORITY[\"EPSG\",\"", '"');
    }
    return 0;
}
TACO__FN bool taco__projection_inverse(int32_t code, double x, double y, double out[2])
{
    const double wgs = 1 / 298.257223563, grs = 1 / 298.257222101;
    if (code == 4326 || code == 4979 || code == 4258 || code == 4269) {
        out[0] = x;
        out[1] = y;
    } else if (code == 3857 || code == 900913) {
        out[0] = x / 6378137 * (180 / TACO__PROJECTION_PI);
        out[1] = taco__projection_atan2(taco__projection_sinh(y / 6378137), 1) *
                 (180 / TACO__PROJECTION_PI);
    } else if (code > 32600 && code <= 32660) {
        taco__projection_inverse_utm(code - 32600, false, wgs, x, y, out);
    } else if (code > 32700 && code <= 32760) {
        taco__projection_inverse_utm(code - 32700, true, wgs, x, y, out);
    } else if (code >= 25828 && code <= 25838) {
        taco__projection_inverse_utm(code - 25800, false, grs, x, y, out);
    } else if (code > 26900 && code <= 26923) {
        taco__projection_inverse_utm(code - 26900, false, grs, x, y, out);
    } else {
        return false;
    }
    return true;
}
TACO__FN taco_status taco__projection_lonlat(const char *crs, double x, double y, taco_lonlat_fn fn,
                                             void *ctx, double out[2], taco_error *err)
{
    const double most = 1e9;
    taco_bytes   name = taco__bytes_text(crs ? crs : "");
    bool         ok;
    if (!(x > -most && x < most && y > -most && y < most)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "the centroid is no finite point of %q", &name);
    }
    ok = crs && taco__projection_inverse(taco__projection_epsg_code(crs), x, y, out);
    if (!ok && !(crs && fn && fn(ctx, crs, x, y, out))) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
            "longitude and latitude in %q are not computed here: UTM, web mercator and "
            "geographic CRSs are, others by a function of the caller's",
            &name);
    }
    if (!(out[0] >= -180 && out[0] <= 180 && out[1] >= -90 && out[1] <= 90)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "a centroid in %q is outside of -180 to 180 and -90 to 90 degrees",
                          &name);
    }
    return TACO_OK;
}
TACO_API taco_status taco_lonlat(const char *crs, double x, double y, double out[2],
                                 taco_error *err)
{
    return taco__projection_lonlat(crs, x, y, NULL, NULL, out, err);
}

/* ---- centroids ------------------------------------------------------------------------------------ */

typedef struct
    taco__extension_sums { /* sums of points, lengths and areas, around the first point */
    double origin[2], area, ax, ay, length, lx, ly, points, px, py;
    bool   any;
} taco__extension_sums;

TACO__FN void taco__extension_sum_run(taco__extension_sums *m, const taco__wkb_item *run)
{
    double area = 0, cx = 0, cy = 0, x0 = 0, y0 = 0;
    size_t i;
    for (i = 0; i < run->n; i++) {
        double x = taco__wkb_coordinate(run->xy + i * run->stride, run->big);
        double y = taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
        if (!m->any) {
            m->origin[0] = x;
            m->origin[1] = y;
            m->any = true;
        }
        x -= m->origin[0];
        y -= m->origin[1];
        m->points += 1;
        m->px += x;
        m->py += y;
        if (i && run->type != 1) {
            double cross = x0 * y - x * y0, dx = x - x0, dy = y - y0;
            double len = taco__math_sqrt(dx * dx + dy * dy);
            area += cross / 2;
            cx += (x0 + x) * cross / 6;
            cy += (y0 + y) * cross / 6;
            m->length += len;
            m->lx += len * (x0 + x) / 2;
            m->ly += len * (y0 + y) / 2;
        }
        x0 = x;
        y0 = y;
    }
    if (run->type == 3) { /* shells add, holes take away, however they turn */
        double sign = (area < 0) == (run->index > 0) ? 1 : -1;
        m->area += sign * area;
        m->ax += sign * cx;
        m->ay += sign * cy;
    }
}
TACO__FN taco_status taco__extension_wkb_centroid(taco_bytes wkb, double out[2], taco_error *err)
{
    taco__wkb_reader     w;
    taco__wkb_item       item;
    taco__extension_sums m;
    memset(&m, 0, sizeof m);
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        taco_status st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK) {
            return st;
        }
        if (item.what == TACO__WKB_DONE) {
            break;
        }
        if (item.what == TACO__WKB_RUN) {
            taco__extension_sum_run(&m, &item);
        }
    }
    if (!m.any || m.points != m.points || m.px != m.px || m.py != m.py) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "the geometry is empty");
    }
    if (m.area > 0 || m.area < 0) {
        out[0] = m.ax / m.area;
        out[1] = m.ay / m.area;
    } else if (m.length > 0) {
        out[0] = m.lx / m.length;
        out[1] = m.ly / m.length;
    } else {
        out[0] = m.px / m.points;
        out[1] = m.py / m.points;
    }
    out[0] += m.origin[0];
    out[1] += m.origin[1];
    return TACO_OK;
}
TACO__FN bool taco__extension_check_given(const void *values, taco_error *err)
{
    if (!values) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no values given");
    }
    return values != NULL;
}
TACO_API taco_status taco_stac_centroid(const taco_stac *s, double out[2], taco_error *err)
{
    const double *g = s ? s->geotransform : NULL;
    if (!taco__extension_check_given(s, err)) {
        return TACO_ERR_ARGUMENT;
    }
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (!s->shape || s->dimensions < 2) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a tensor shape has rows and columns, %u sizes are given",
                          TACO__U(s->dimensions));
    }
    return taco__projection_lonlat(s->crs, g[0] + (double)s->shape[s->dimensions - 1] / 2 * g[1],
                                   g[3] + (double)s->shape[s->dimensions - 2] / 2 * g[5], s->lonlat,
                                   s->lonlat_ctx, out, err);
}
TACO_API taco_status taco_istac_centroid(const taco_istac *s, double out[2], taco_error *err)
{
    double xy[2] = {0, 0};
    if (!taco__extension_check_given(s, err)) {
        return TACO_ERR_ARGUMENT;
    }
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (taco__extension_wkb_centroid(s->geometry, xy, err) != TACO_OK) {
        taco__error_prefix(err, "istac:geometry");
        return err ? err->code : TACO_ERR_CORRUPT;
    }
    return taco__projection_lonlat(s->crs, xy[0], xy[1], s->lonlat, s->lonlat_ctx, out, err);
}
TACO_API taco_status taco_stac_tiff(const taco_tiff *t, taco_stac *out, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    memset(out, 0, sizeof *out);
    if (!h) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no TIFF given");
    }
    if (!h->crs[0] || !h->has_geotransform) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no %s", t->name,
                          h->crs[0] ? "georeferencing" : "CRS with a code");
    }
    out->crs = h->crs;
    out->shape = h->shape;
    out->dimensions = 3;
    memcpy(out->geotransform, h->geotransform, sizeof out->geotransform);
    return TACO_OK;
}

/* ---- columns of the writer ------------------------------------------------------------------------ */

TACO__FN void taco__extension_write_wkb_point(const double xy[2], uint8_t wkb[21])
{
    memset(wkb, 0, 21);
    wkb[0] = wkb[1] = 1;
    taco__put_le64(wkb + 5, taco__f64_to_bits(xy[0]));
    taco__put_le64(wkb + 13, taco__f64_to_bits(xy[1]));
}
TACO__FN taco_status taco__extension_set_times(taco_writer *w, const char *prefix, int64_t start,
                                               int64_t end, bool has_end)
{
    char   name[32];
    size_t n = strlen(prefix);
    memcpy(name, prefix, n);
    memcpy(name + n, "time_start", 11);
    taco_writer_set_int(w, name, start);
    memcpy(name + n, "time_end", 9);
    has_end ? taco_writer_set_int(w, name, end) : taco_writer_set_null(w, name);
    memcpy(name + n, "time_middle", 12); /* rounded down, without overflow */
    return has_end
               ? taco_writer_set_int(w, name,
                                     taco__time_floor_div(start, 2) + taco__time_floor_div(end, 2) +
                                         ((start & 1) + (end & 1)) / 2)
               : taco_writer_set_null(w, name);
}
TACO__FN bool taco__extension_check_times(int64_t start, int64_t end, bool has_end, taco_error *err)
{
    if (has_end && start > end) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "time_start %d lies behind time_end %d",
                   TACO__D(start), TACO__D(end));
        return false;
    }
    return true;
}
TACO_API taco_status taco_writer_stac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "stac:crs", TACO_TEXT);
    taco_writer_list(w, level, "stac:tensor_shape", TACO_INT64);
    taco_writer_list(w, level, "stac:geotransform", TACO_DOUBLE);
    taco_writer_column(w, level, "stac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "stac:centroid", TACO_BINARY);
    taco_writer_column(w, level, "stac:time_end", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "stac:time_middle", TACO_TIMESTAMP);
}
TACO_API taco_status taco_writer_set_stac(taco_writer *w, const taco_stac *s, taco_error *err)
{
    double      xy[2];
    uint8_t     wkb[21];
    taco_status st;
    if (!taco__extension_check_given(s, err) ||
        !taco__extension_check_times(s->time_start, s->time_end, s->has_end, err)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_stac_centroid(s, xy, err);
    if (st != TACO_OK) {
        return st;
    }
    taco__extension_write_wkb_point(xy, wkb);
    taco_writer_set_text(w, "stac:crs", s->crs);
    taco_writer_set_ints(w, "stac:tensor_shape", s->shape, s->dimensions);
    taco_writer_set_doubles(w, "stac:geotransform", s->geotransform, 6);
    taco_writer_set_bytes(w, "stac:centroid", wkb, sizeof wkb);
    return taco__extension_set_times(w, "stac:", s->time_start, s->time_end, s->has_end);
}
TACO_API taco_status taco_writer_istac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "istac:crs", TACO_TEXT);
    taco_writer_column(w, level, "istac:geometry", TACO_BINARY);
    taco_writer_column(w, level, "istac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_end", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_middle", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "istac:centroid", TACO_BINARY);
}
TACO_API taco_status taco_writer_set_istac(taco_writer *w, const taco_istac *s, taco_error *err)
{
    double      xy[2];
    uint8_t     wkb[21];
    taco_status st;
    if (!taco__extension_check_given(s, err) ||
        !taco__extension_check_times(s->time_start, s->time_end, s->has_end, err)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_istac_centroid(s, xy, err);
    if (st != TACO_OK) {
        return st;
    }
    taco__extension_write_wkb_point(xy, wkb);
    taco_writer_set_text(w, "istac:crs", s->crs);
    taco_writer_set_bytes(w, "istac:geometry", s->geometry.data, s->geometry.len);
    taco_writer_set_bytes(w, "istac:centroid", wkb, sizeof wkb);
    return taco__extension_set_times(w, "istac:", s->time_start, s->time_end, s->has_end);
}
TACO_API taco_status taco_writer_set_split(taco_writer *w, const char *split, taco_error *err)
{
    taco_bytes name = taco__bytes_text(split ? split : "");
    if (!split || (strcmp(split, "train") != 0 && strcmp(split, "test") != 0 &&
                   strcmp(split, "validation") != 0)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "split is %q, allowed are train, test and validation", &name);
    }
    return taco_writer_set_text(w, "split", split);
}
TACO_API taco_status taco_writer_scaling_columns(taco_writer *w, uint32_t level, bool lists)
{
    if (lists) {
        taco_writer_list(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_list(w, level, "scaling:scale_offset", TACO_FLOAT);
    } else {
        taco_writer_column(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_column(w, level, "scaling:scale_offset", TACO_FLOAT);
    }
    return taco_writer_list(w, level, "scaling:padding", TACO_INT32);
}
TACO__FN taco_status taco__extension_set_scale(taco_writer *w, const char *name, const double *v,
                                               size_t n, bool lists)
{
    return !v      ? taco_writer_set_null(w, name)
           : lists ? taco_writer_set_doubles(w, name, v, n)
                   : taco_writer_set_double(w, name, v[0]);
}
TACO_API taco_status taco_writer_set_scaling(taco_writer *w, const double *factors,
                                             const double *offsets, size_t n, bool lists,
                                             const int32_t padding[4], taco_error *err)
{
    int64_t wide[4];
    size_t  i;
    for (i = 0; factors && i < n; i++) {
        if (!(factors[i] < 0 || factors[i] > 0)) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "scaling:scale_factor must not be 0");
        }
    }
    if (n == 0 || (!lists && n != 1)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u factors for columns of %s",
                          TACO__U(n), lists ? "lists" : "one each");
    }
    for (i = 0; padding && i < 4; i++) {
        wide[i] = padding[i];
    }
    taco__extension_set_scale(w, "scaling:scale_factor", factors, n, lists);
    taco__extension_set_scale(w, "scaling:scale_offset", offsets, n, lists);
    return padding ? taco_writer_set_ints(w, "scaling:padding", wide, 4)
                   : taco_writer_set_null(w, "scaling:padding");
}

/* ---- the MajorTOM grid ---------------------------------------------------------------------------- */

/* The greatest of n lines around a circle of `turn` degrees that is less than x, among those up to `limit` from 0; the
   least of them where there is none and `wrap` is not set, else the greatest. *index counts lines from 0, negative below. Lines are where
   the reference's floating-point numbers put them. */
TACO__FN double taco__spatial_grid_line(uint64_t n, double turn, double limit, double x, bool wrap,
                                        int64_t *index)
{
    const double step = turn / (double)n;
    double       best = 0, least = 0, most = 0, at;
    bool         found = false, any = false;
    uint64_t     i;
    for (i = 0; i < n; i++) {
        double v = (double)i * step - turn / 2;
        at = (v < 0 ? v + turn : v) - turn / 2;
        if (at < -limit || at > limit) {
            continue;
        }
        least = !any || at < least ? at : least;
        most = !any || at > most ? at : most;
        any = true;
        if (at < x && (!found || at > best)) {
            best = at;
            found = true;
        }
    }
    best = found ? best : wrap ? most : least;
    *index = 0;
    for (i = 0; i < n; i++) {
        double v = (double)i * step - turn / 2;
        at = (v < 0 ? v + turn : v) - turn / 2;
        *index += best >= 0 ? at >= 0 && at < best : -(at >= best && at < 0);
    }
    return best;
}
TACO__FN uint64_t taco__spatial_ceil(double x)
{
    uint64_t n = (uint64_t)x;
    return n + ((double)n < x);
}
TACO__FN char *taco__spatial_write_digits(char *p, int64_t x) /* at least four */
{
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, ten;
    for (ten = 1000; ten > 1 && u < ten; ten /= 10) {
        *p++ = '0';
    }
    return p + taco__num_format_u64(p, u);
}
TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err)
{
    const double radius = 6378.137;
    int64_t      row, column;
    double       south, s, c, around;
    if (!(km >= 0.5 && km <= 20000) || !(lon >= -180 && lon <= 180) || !(lat >= -90 && lat <= 90)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km and a point in degrees are wanted");
    }
    south = taco__spatial_grid_line(taco__spatial_ceil(TACO__PROJECTION_PI * radius / km), 180, 85,
                                    lat, false, &row);
    taco__projection_sincos(south * (TACO__PROJECTION_PI / 180), &s, &c);
    around = 2 * TACO__PROJECTION_PI * radius * c / km;
    (void)taco__spatial_grid_line(around > 1 ? taco__spatial_ceil(around) : 1, 360, 180, lon, true,
                                  &column);
    out = taco__spatial_write_digits(out, (int64_t)km);
    memcpy(out, "km_", 3);
    out = taco__spatial_write_digits(out + 3, row);
    *out++ = row < 0 ? 'D' : 'U';
    *out++ = '_';
    out = taco__spatial_write_digits(out, column);
    *out++ = column < 0 ? 'L' : 'R';
    *out = 0;
    return TACO_OK;
}

/* ---- groups of neighbours ------------------------------------------------------------------------- */

typedef struct taco__spatial_place {
    uint64_t code;
    size_t   index;
} taco__spatial_place;

TACO__FN int taco__spatial_compare_places(const void *a, const void *b)
{
    const taco__spatial_place *x = (const taco__spatial_place *)a,
                              *y = (const taco__spatial_place *)b;
    return x->code != y->code     ? (x->code < y->code ? -1 : 1)
           : x->index != y->index ? (x->index < y->index ? -1 : 1)
                                  : 0;
}
/* The place of a point on the Z curve over the globe, 21 bits of longitude and of latitude in turn. */
TACO__FN uint64_t taco__spatial_z_order(const double *point)
{
    const double most = (1 << 21) - 1;
    int64_t      x = (int64_t)((point[0] + 180) / 360 * most);
    int64_t      y = (int64_t)((point[1] + 90) / 180 * most);
    uint64_t     code = 0;
    unsigned     i;
    for (i = 0; i < 21; i++) {
        code |= ((uint64_t)x >> i & 1) << (2 * i) | ((uint64_t)y >> i & 1) << (2 * i + 1);
    }
    return code;
}
TACO_API taco_status taco_spatial_groups(const double *points, const uint64_t *sizes, size_t n,
                                         uint64_t most_samples, uint64_t most_bytes,
                                         uint32_t *groups, taco_error *err)
{
    taco__mem            mem;
    taco__spatial_place *order;
    size_t               bytes, i, k = 0;
    uint64_t             samples = 0, sum = 0;
    uint32_t             group = 0;
    if ((!most_samples && !most_bytes) || (most_bytes && !sizes)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "groups want a most of samples or of bytes, and then sizes");
    }
    taco__mem_init(&mem, NULL);
    if (!taco__checked_mul_size(n, sizeof *order, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u points", TACO__U(n));
    }
    order = (taco__spatial_place *)taco__mem_alloc(&mem, bytes, err);
    if (!order) {
        return TACO_ERR_MEMORY;
    }
    for (i = 0; i < n; i++) {
        const double *p = points + 2 * i;
        groups[i] = UINT32_MAX;
        if (p[0] >= -1e6 && p[0] <= 1e6 && p[1] >= -1e6 && p[1] <= 1e6) {
            order[k].index = i;
            order[k++].code = taco__spatial_z_order(p);
        }
    }
    if (k) {
        qsort(order, k, sizeof *order, taco__spatial_compare_places);
    }
    for (i = 0; i < k; i++) {
        uint64_t size = sizes ? sizes[order[i].index] : 0;
        if (samples && ((most_samples && samples >= most_samples) ||
                        (most_bytes && (sum > most_bytes || size > most_bytes - sum)))) {
            group++;
            samples = sum = 0;
        }
        groups[order[i].index] = group;
        samples++;
        sum += size;
    }
    taco__mem_free(&mem, order, bytes ? bytes : 1);
    return TACO_OK;
}

/* ---- fields of the collection --------------------------------------------------------------------- */

TACO__FN bool taco__members_append(taco__buf *b, const char *before, const char *value,
                                   taco_error *err)
{
    return taco__buf_append_text(b, before, err) &&
           (value ? taco__json_write_string(b, taco__bytes_text(value), err)
                  : taco__buf_append_text(b, "null", err));
}
/* Hands the text over to the caller's buffer. */
TACO__FN taco_status taco__members_copy_out(taco__buf *b, bool ok, char *out, size_t room,
                                            taco_error *err)
{
    taco_status st = ok ? TACO_OK : TACO_ERR_MEMORY;
    if (ok && b->len + 1 > room) {
        st =
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "the text needs %u bytes, there are %u",
                       TACO__U(b->len + 1), TACO__U(room));
    } else if (ok) {
        memcpy(out, b->data, b->len);
        out[b->len] = 0;
    }
    taco__buf_free(b);
    return st;
}
TACO_API taco_status taco_labels_json(const taco_label *labels, size_t n, const char *description,
                                      char *out, size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    char      number[24];
    size_t    i;
    bool      ok;
    taco__mem_init(&mem, NULL);
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    ok = taco__buf_append_text(&b, "\"labels:classes\":[", err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__members_append(&b, i ? ",{\"name\":" : "{\"name\":", labels[i].name, err) &&
             taco__members_append(&b, ",\"category\":", labels[i].category, err) &&
             taco__members_append(&b, ",\"description\":", labels[i].description, err) &&
             taco__buf_append_char(&b, '}', err);
    }
    ok = ok && taco__members_append(&b, "],\"labels:description\":", description, err) &&
         taco__buf_append_text(&b, ",\"labels:num_classes\":", err) &&
         taco__buf_append(&b, number, taco__num_format_u64(number, n), err);
    return taco__members_copy_out(&b, ok, out, room, err);
}
TACO_API taco_status taco_publications_json(const taco_publication *list, size_t n, char *out,
                                            size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    size_t    i;
    bool      ok;
    taco__mem_init(&mem, NULL);
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    ok = taco__buf_append_text(&b, "\"publications\":[", err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__members_append(&b, i ? ",{\"doi\":" : "{\"doi\":", list[i].doi, err) &&
             taco__members_append(&b, ",\"citation\":", list[i].citation, err) &&
             taco__members_append(&b, ",\"summary\":", list[i].summary, err) &&
             taco__buf_append_char(&b, '}', err);
    }
    ok = ok && taco__buf_append_char(&b, ']', err);
    return taco__members_copy_out(&b, ok, out, room, err);
}

TACO_API taco_status taco_split_json(const char *strategy, char *out, size_t room, taco_error *err)
{
    static const char *const known[] = {"random", "stratified", "manual",
                                        "other",  "none",       "unknown"};
    taco__mem                mem;
    taco__buf                b;
    taco_bytes               name = taco__bytes_text(strategy ? strategy : "");
    size_t                   i;
    for (i = 0; i < TACO__COUNT(known) && !taco__bytes_equal(taco__bytes_text(known[i]), name);
         i++) {
    }
    if (i == TACO__COUNT(known)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "split:strategy is %q, allowed are random, stratified, manual, other, "
                          "none and unknown",
                          &name);
    }
    taco__mem_init(&mem, NULL);
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    return taco__members_copy_out(
        &b, taco__members_append(&b, "\"split:strategy\":", strategy, err), out, room, err);
}
