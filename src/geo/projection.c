/* projection.c - longitude and latitude of projected points, without libm

   In: a CRS as text and x, y in it; out: longitude and latitude in degrees, within about a
   nanometre of PROJ. Computed: geographic CRSs, UTM (WGS 84, ETRS89, NAD83), web mercator. OGC
   19-008r4; Karney 2011, Transverse Mercator with an accuracy of a few nanometers.

   The library does not link libm, so sin, cos, exp, sinh, cosh and atan2 are series here, each
   exact to the last bits for the arguments that occur (angles of a few turns, |x| below 10 for
   exp). Start reading at taco__projection_inverse. */
#include "geo.h"
#include "../base/base.h"
#include "../base/json.h"

/* Taylor series on [-pi/4, pi/4]; quarter turns are removed in two steps, with pi/2 in two parts,
   so that small multiples lose no bits. NaN of what has no angle: NaN, infinity, and numbers whose
   last digit is more than a turn. */
TACO__FN void taco__projection_sincos(double x, double *s, double *c)
{
    double turns = x * (2 / TACO__PROJECTION_PI), y, y2, term, sine, cosine;
    int64_t k;
    unsigned i;
    if (!(turns > -1e15 && turns < 1e15)) {
        *s = *c = taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
        return;
    }
    k = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
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

/* e^x; 0 or infinity beyond about 700, where a double has no room for it, and NaN of NaN. */
static double taco__projection_exp(double x)
{
    double y, sum = 0;
    int64_t k;
    unsigned i;
    if (!(x > -700)) { return x < 0 ? 0 : x; }
    if (x > 700) { return taco__f64_from_bits(UINT64_C(0x7FF0000000000000)); }
    k = (int64_t)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    y = (x - (double)k * 0.6931471803691238) - (double)k * 1.9082149292705877e-10;
    for (i = 18; i > 0; i--) {
        sum = y / i * (1 + sum);
    }
    return (1 + sum) * taco__f64_from_bits((uint64_t)(k + 1023) << 52);
}

/* A series near 0, where the difference of exponentials would cancel. */
static double taco__projection_sinh(double x)
{
    double x2 = x * x, sum = 0, e;
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

static double taco__projection_cosh(double x)
{
    double e = taco__projection_exp(x);
    return (e + 1 / e) / 2;
}

/* The angle of the direction (x, y), in radians, -pi to pi: a series of the tangent after two
   halvings of the angle. */
static double taco__projection_atan2(double y, double x)
{
    double ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, t, t2, sum = 0, angle;
    unsigned i;
    bool steep = ay > ax;
    if (ax + ay <= 0) { return 0; }
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

/* ---- projections
   ---------------------------------------------------------------------------------- */

/* Longitude and latitude in radians of a point of a transverse Mercator projection, by Krueger's
   series to the sixth order of the third flattening n (Karney, Transverse Mercator with an accuracy
   of a few nanometers, 2011, (36), (19) to (21)). x and y are over the scale and the rectifying
   radius. */
static void taco__projection_inverse_mercator(double n, double xi, double eta, double *lon,
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
    double x = xi, h = eta, s, c, sh, tau, target, u, v;
    unsigned j;
    for (j = 1; j <= 6; j++) {
        taco__projection_sincos(2 * j * xi, &s, &c);
        x -= beta[j - 1] * s * taco__projection_cosh(2 * j * eta);
        h -= beta[j - 1] * c * taco__projection_sinh(2 * j * eta);
    }
    taco__projection_sincos(x, &s, &c);
    sh = taco__projection_sinh(h);
    *lon = taco__projection_atan2(sh, c);
    target = s / taco__math_sqrt(sh * sh + c * c); /* tangent of the conformal latitude */
    tau = target / (1 - e2);
    for (j = 0; j < 6; j++) { /* Newton: three steps are enough except near the poles */
        double root = taco__math_sqrt(1 + tau * tau), k = e * tau / root, k2 = k * k, at = 0, sigma,
               got;
        unsigned i;
        for (i = 12; i > 0; i--) {
            at = k2 * (1.0 / (2.0 * i + 1) + at);
        }
        sigma = taco__projection_sinh(e * (k + k * at));
        got = tau * taco__math_sqrt(1 + sigma * sigma) - sigma * root;
        u = (target - got) / taco__math_sqrt(1 + got * got);
        v = (1 + (1 - e2) * tau * tau) / ((1 - e2) * root);
        tau += u * v;
    }
    *lat = taco__projection_atan2(tau, 1);
}

/* A point of a UTM zone (scale 0.9996, false easting 500 km, northing 10000 km in the south).
   Longitudes are within 180 degrees of the central meridian. */
static void taco__projection_inverse_utm(int32_t zone, bool south, double flattening, double x,
                                         double y, double out[2])
{
    const double a = 6378137, n = flattening / (2 - flattening), n2 = n * n;
    const double radius = a / (1 + n) * (1 + n2 / 4 + n2 * n2 / 64 + n2 * n2 * n2 / 256);
    double lon, lat;
    taco__projection_inverse_mercator(n, (y - (south ? 10000000 : 0)) / (0.9996 * radius),
                                      (x - 500000) / (0.9996 * radius), &lon, &lat);
    out[0] = lon * (180 / TACO__PROJECTION_PI) + (zone * 6 - 183);
    out[1] = lat * (180 / TACO__PROJECTION_PI);
}

/* The number after the last `mark` in text, with `end` right after its digits (0: the end of the
   text); 0 if there is none. */
static int32_t taco__projection_number_after(const char *text, const char *mark, char end)
{
    const char *at = text, *last = NULL;
    uint64_t x = 0;
    size_t n = strlen(mark), k;
    while ((at = strstr(at, mark)) != NULL) {
        last = at + n;
        at++;
    }
    for (k = 0; last && taco__ascii_is_digit((uint8_t)last[k]); k++) {}
    return last && (end == 0 ? last[k] == 0 : last[k] == end) &&
                   taco__num_parse_u64(taco__bytes_of(last, k), &x) && x <= INT32_MAX
               ? (int32_t)x
               : 0;
}

/* EPSG code of a CRS, 0 for none: EPSG:n, urn:...:EPSG:...:n, WKT's last ID or AUTHORITY. CRS84
   counts as 4326: x is longitude. */
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

/* Whether x and y of a CRS are already degrees. */
TACO__FN bool taco__projection_is_geographic(int32_t code)
{
    return code == 4326 || code == 4979 || code == 4258 || code == 4269;
}

/* Longitude and latitude from an EPSG code; false for codes that are not supported. Longitudes are
   continuous: those of a shape that crosses the antimeridian go on beyond 180 or -180. */
TACO__FN bool taco__projection_inverse_unwrapped(int32_t code, double x, double y, double out[2])
{
    const double wgs = 1 / 298.257223563, grs = 1 / 298.257222101;
    if (taco__projection_is_geographic(code)) {
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

/* Whether points of a CRS that is computed may lie across the antimeridian from most of it. */
TACO__FN bool taco__projection_is_utm(int32_t code)
{
    return !taco__projection_is_geographic(code) && code != 3857 && code != 900913;
}

/* The same with longitudes of UTM between -180 and 180. */
TACO__FN bool taco__projection_inverse(int32_t code, double x, double y, double out[2])
{
    if (!taco__projection_inverse_unwrapped(code, x, y, out)) { return false; }
    if (taco__projection_is_utm(code)) { out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0; }
    return true;
}

/* Moves a longitude and latitude that rounding put off the globe, by a tenth of a millimetre at
   most, back to its edge. False if they are farther off, or not numbers. */
TACO__FN bool taco__projection_clamp(double lonlat[2])
{
    size_t i;
    for (i = 0; i < 2; i++) {
        const double most = i ? 90 : 180, slack = 1e-9;
        if (!(lonlat[i] >= -most - slack && lonlat[i] <= most + slack)) { return false; }
        lonlat[i] = TACO__MAX(-most, TACO__MIN(most, lonlat[i]));
    }
    return true;
}
