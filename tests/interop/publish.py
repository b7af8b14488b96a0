"""publish.py TACO SHARED DIR - what `taco query --format geoparquet|stac-geoparquet` writes, read by geopandas,
stac_geoparquet and pystac (their own checks), over fixtures that have a point; compared with what `query` prints.

Items are validated against the core schema that pystac carries; schemas of extensions are on the network.
The last line is "N passed, N failed".
"""
import glob, json, os, subprocess, sys

import geopandas
import pyarrow.parquet as pq
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


def write(path, kind):
    out = os.path.join(work, kind + ".parquet")
    run = subprocess.run([taco, "query", path, "--format", kind, "-o", out], capture_output=True)
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
    return got.equals(want)


def geoparquet(path, want):
    out, message = write(path, "geoparquet")
    check(out, "%s: %s" % (path, message))
    if out:
        frame = geopandas.read_parquet(out)
        check(len(frame) == len(want), "%s: %d rows, not %d" % (path, len(frame), len(want)))
        check(frame.crs.to_string() in ("OGC:CRS84", "EPSG:4326"), "%s: CRS %s" % (path, frame.crs))
        check(all(same_point(g, geometry(w)) for g, w in zip(frame.geometry, want)), path + ": geometries differ")


def stac(path, want):
    start = [k for k in ("stac:time_start", "istac:time_start") if k in want[0]]
    out, message = write(path, "stac-geoparquet")
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


os.makedirs(work, exist_ok=True)
seen = 0
for path in datasets():
    want = points(path)
    if want:
        seen += 1
        geoparquet(path, want)
        stac(path, want)
check(seen >= 5, "only %d datasets have points" % seen)
print("%d datasets; %d passed, %d failed" % (seen, passed, failed))
sys.exit(failed > 0)
