"""publish.py TACO SHARED DIR - what `taco query --format geoparquet|stac-geoparquet` writes, read by geopandas,
stac_geoparquet and pystac (their own checks), over fixtures that have a point; compared with what `query` prints. And
`taco collection --to stac|datacite|croissant` of all fixtures, by the checks of pystac, datacite and mlcroissant.

Items are validated against the core schema that pystac carries; schemas of extensions are on the network.
The last line is "N passed, N failed".
"""
import glob, json, os, shutil, subprocess, sys

import datacite.schema45
import geopandas
import mlcroissant
import numpy
import pyarrow as pa
import pyarrow.parquet as pq
import pyproj
import pystac
import pystac.validation
import shapely
from stac_geoparquet.arrow import stac_table_to_items

taco, shared, work = sys.argv[1:4]
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAIL", what)


def plain(value):  # as JSON has it
    return value.hex() if isinstance(value, bytes) else value.isoformat()


def rows(path):
    out = subprocess.run([taco, "query", path, "--format", "ndjson"], capture_output=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def write(path, kind, *more):
    out = os.path.join(work, kind + ".parquet")
    run = subprocess.run([taco, "query", path, "--format", kind, "--overwrite", "-o", out, *more], capture_output=True)
    return (out if run.returncode == 0 else None), run.stderr.decode()


def geometry(row):
    for name in ("stac:centroid", "istac:centroid", "geometry", "istac:geometry"):
        if name in row:
            return row[name]
    return None


def datasets():
    for pattern in ("fixtures/good/*", "fixtures/good/*/*.tacozip", "legacy/A[012]/*.t[oa]*"):
        for path in sorted(glob.glob(os.path.join(shared, pattern))):
            if os.path.exists(path) and not path.endswith(".json"):
                yield path


def points(path):
    try:
        answer = rows(path)
    except subprocess.CalledProcessError:
        return None
    return answer if answer and geometry(answer[0]) is not None else None


def same_point(got, want):
    if want is None or got is None:
        return want is None and got is None
    want = shapely.from_wkt(want) if want.startswith("POINT") else shapely.from_wkb(bytes.fromhex(want))
    # a row with a tile has its outline; UTM's sides are curves in degrees, of which the corners are exact
    return got.buffer(1e-6).contains(want) if got.geom_type.endswith("Polygon") else got.equals(want)


def in_degrees(shape, crs):
    """What is expected of a stored footprint; None: its projection is not one that is converted."""
    code = pyproj.CRS.from_user_input(crs).to_epsg() or 0
    if code in (4326, 4258, 4269, 4979):
        return shape
    if not (code == 3857 or 32601 <= code <= 32660 or 32701 <= code <= 32760 or 25828 <= code <= 25838):
        return None
    turn = pyproj.Transformer.from_crs(code, 4326, always_xy=True)
    move = lambda at: numpy.column_stack([*turn.transform(at[:, 0], at[:, 1]), *at.T[2:]])
    return shapely.transform(shape, move, include_z=shape.has_z)


def kinds(seed=5):
    """Random footprints of every type, byte order, flavour and some projections, as a dataset, an answer of shapely."""
    rng = numpy.random.default_rng(seed)
    shapes, columns = [], {"id": [], "istac:crs": [], "istac:geometry": [], "path": []}
    here = os.path.join(work, "kinds")
    shutil.rmtree(here, ignore_errors=True)
    os.makedirs(here)
    for k in range(120):
        crs, x, y, size = [("EPSG:4326", 10, 40, 2), ("EPSG:32633", 5e5, 5e6, 1e5), ("EPSG:32718", 4e5, 8e6, 1e5),
                           ("EPSG:3857", 1e6, -2e6, 1e5), ("EPSG:25831", 3e5, 4.5e6, 1e5), ("EPSG:2154", 7e5, 6.6e6, 1e5)][k % 6]
        dim = 2 + k % 5 % 2
        at = lambda n: numpy.column_stack([rng.uniform(x, x + size, n), rng.uniform(y, y + size, n)] + [rng.uniform(0, 9, n)] * (dim - 2))
        ring = lambda: (lambda p: numpy.vstack([p, p[:1]]))(at(4))
        shape = [lambda: shapely.points(at(1)[0]), lambda: shapely.linestrings(at(3)), lambda: shapely.polygons(ring()),
                 lambda: shapely.multipoints([shapely.points(p) for p in at(3)]),
                 lambda: shapely.multilinestrings([shapely.linestrings(at(3)) for _ in range(2)]),
                 lambda: shapely.multipolygons([shapely.polygons(ring()) for _ in range(2)]),
                 lambda: shapely.geometrycollections([shapely.points(at(1)[0]), shapely.polygons(ring())])][k % 7]()
        srid = k % 4 == 3
        code = int(crs[5:])
        columns["id"].append("k%03d" % k)
        columns["istac:crs"].append(None if srid and k % 8 == 3 else crs)
        columns["istac:geometry"].append(shapely.to_wkb(shapely.set_srid(shape, code) if srid else shape, output_dimension=dim,
                                                        byte_order=k // 3 % 2, include_srid=srid, flavor="extended" if k % 2 else "iso"))
        open(os.path.join(here, "k%03d" % k), "w").close()
        columns["path"].append("k%03d" % k)
        shapes.append(in_degrees(shape, crs))
    pq.write_table(pa.table({k: pa.array(v, pa.binary() if k == "istac:geometry" else pa.string()) for k, v in columns.items()}), os.path.join(work, "kinds.parquet"))
    with open(os.path.join(work, "collection.json"), "w") as f:
        json.dump({"id": "kinds", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "tasks": ["other"],
                   "providers": [{"name": "Nobody"}]}, f)
    return here, shapes


def of_kinds():
    """GeoParquet and GeoJSON of them."""
    here, want = kinds()
    made = os.path.join(work, "kinds.tacozip")
    run = subprocess.run([taco, "create", here, made, "--overwrite", "--collection", os.path.join(work, "collection.json"),
                          "--samples", os.path.join(work, "kinds.parquet")], capture_output=True)
    check(run.returncode == 0, "kinds: " + run.stderr.decode())
    out, message = write(made, "geoparquet")
    check(out and message.count("cannot") + message.count("not converted") == 1, "kinds: " + message)
    table = pq.read_table(out).sort_by("id")
    run = subprocess.run([taco, "query", made, "--format", "geojson", "--order", "id"], capture_output=True)
    features = json.loads(run.stdout)["features"]
    for k, (got, shape, feature) in enumerate(zip(table.column("geometry").to_pylist(), want, features)):
        check((got is None) == (shape is None), "kinds: %d: %s, not %s" % (k, got, shape))
        if got and shape:
            check(int.from_bytes(got[1:5], "little" if got[0] else "big") >> 29 == 0, "kinds: %d is EWKB" % k)
            read, flat = shapely.from_wkb(got), shapely.force_2d(shape)
            check(read.has_z == shape.has_z and read.has_m == shape.has_m, "kinds: %d: %s, not %s" % (k, read, shape))
            check(shapely.force_2d(read).equals_exact(flat, 1e-7), "kinds: %d: %s, not %s" % (k, read, shape))
            drawn = shapely.force_2d(shapely.from_geojson(json.dumps(feature["geometry"])))
            check(drawn.normalize().equals_exact(flat.normalize(), 1e-7), "kinds: %d: GeoJSON %s, not %s" % (k, drawn, flat))


def same_place(got, row):
    """The footprint, where the row has one in degrees, else its centroid."""
    outline = row.get("istac:geometry")
    if isinstance(outline, str) and not outline.startswith("POINT"):
        want = in_degrees(shapely.from_wkb(bytes.fromhex(outline)), row.get("istac:crs") or "EPSG:4326")
        if want is not None:
            return got is not None and got.equals_exact(want, 1e-7)
    return same_point(got, geometry(row))


def collections_in(row):
    """Whether a footprint is a GeometryCollection, with which stac-geoparquet ends in a KeyError."""
    outline = row.get("istac:geometry")
    return isinstance(outline, str) and shapely.from_wkb(bytes.fromhex(outline)).geom_type == "GeometryCollection"


def geoparquet(path, want):
    out, message = write(path, "geoparquet")
    check(out, "%s: %s" % (path, message))
    if out:
        frame = geopandas.read_parquet(out)
        check(len(frame) == len(want), "%s: %d rows, not %d" % (path, len(frame), len(want)))
        check(frame.crs.to_string() in ("OGC:CRS84", "EPSG:4326"), "%s: CRS %s" % (path, frame.crs))
        check(all(same_place(g, w) for g, w in zip(frame.geometry, want)), path + ": geometries differ")


def stac(path, want):
    start = [k for k in ("stac:time_start", "istac:time_start") if k in want[0]]
    out, message = write(path, "stac-geoparquet", *(["--geometry-col", "istac:centroid"] if any(map(collections_in, want)) else []))
    check(bool(out) == bool(start), "%s: %s" % (path, message))
    if not out:
        return
    items = list(stac_table_to_items(pq.read_table(out)))
    check(len(items) == len(want), "%s: %d items, not %d" % (path, len(items), len(want)))
    for k, (item, row) in enumerate(zip(items, want)):
        name = row.get("id", row.get("tortilla:id"))
        where = "%s: item %s: " % (path, name)
        check(item["id"] == name, where + "id " + item["id"])
        check(item["assets"]["data"]["href"] == row.get("internal:gdal_vsi", row.get("internal:subfile")), where + "href")
        if row.get("stac:geotransform"):
            x0, dx, rx, y0, ry, dy = row["stac:geotransform"]
            check(list(item["properties"]["proj:transform"]) == [dx, rx, x0, ry, dy, y0], where + "transform")
        item["stac_extensions"] = []
        if k >= 3 or item["geometry"] is None or item["properties"]["datetime"] is None:
            continue  # no item without either; the row had none
        try:
            pystac.validation.validate_dict(json.loads(json.dumps(item, default=plain)))
            check(True, where)
        except Exception as e:
            check(False, where + (str(e)[:200] + str(e.__cause__)[:300]))


def collection(path, to, *options):
    run = subprocess.run([taco, "collection", path, "--to", to, *options], capture_output=True)
    check(run.returncode == 0, "%s: %s: %s" % (path, to, run.stderr.decode()))
    return json.loads(run.stdout) if run.returncode == 0 else None


def collections(path):
    if path.endswith(".tortilla"):
        return  # it has none
    document = collection(path, "stac")
    if document:
        document["stac_extensions"] = []
        try:
            pystac.validation.validate_dict(document)
            check(True, path)
        except Exception as e:
            check(False, "%s: stac: %s" % (path, str(e)[:400]))
    document = collection(path, "datacite", "--year", "2025")
    check(document and datacite.schema45.validate(document), path + ": datacite is not valid")


def croissant(path, want):
    table, _ = write(path, "geoparquet")
    here = os.path.join(work, "croissant")
    os.makedirs(here, exist_ok=True)
    if path.endswith(".tortilla") or not os.path.isfile(path) or not table:
        return
    for old in os.listdir(here):
        os.unlink(os.path.join(here, old))
    shutil.copy(path, here)
    shutil.copy(table, os.path.join(here, "rows.parquet"))
    copy = os.path.join(here, os.path.basename(path))
    document = collection(copy, "croissant", "--year", "2025", "--samples", os.path.join(here, "rows.parquet"))
    with open(os.path.join(here, "croissant.json"), "w") as f:
        json.dump(document, f)
    try:
        records = list(mlcroissant.Dataset(jsonld=os.path.join(here, "croissant.json")).records(record_set="samples"))
        check(len(records) == len(want), "%s: %d records, not %d" % (path, len(records), len(want)))
    except Exception as e:
        check(False, "%s: croissant: %s" % (path, str(e)[:400]))


os.makedirs(work, exist_ok=True)
seen = 0
for path in datasets():
    want = points(path)
    if want:
        seen += 1
        geoparquet(path, want)
        stac(path, want)
        collections(path)
        if seen % 4 == 0:
            croissant(path, want)
of_kinds()
check(seen >= 5, "only %d datasets have points" % seen)
print("%d datasets; %d passed, %d failed" % (seen, passed, failed))
sys.stdout.flush()
os._exit(failed > 0)  # threads of the packages above may abort an orderly end
