#!/usr/bin/env python3
"""gti.py TACO [FIXTURES] - GDAL opens what `taco query --format gti|geojson` writes, and its mosaics have the tiles' pixels.

Needs rasterio (GDAL 3.9 or later), numpy and pyarrow. A dataset of GeoTIFFs is made in a temporary directory; with the
fixtures of ../shared one of theirs is opened too. The last line is "N passed, N failed"."""
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    import rasterio
    from rasterio.io import MemoryFile
    from rasterio.transform import Affine
    from rasterio.warp import transform_bounds
    from rasterio.windows import Window
except ImportError as e:
    sys.exit(f"{__file__} needs rasterio, pyarrow and numpy: {e}")

taco = os.path.abspath(sys.argv[1])
passed = failed = 0
WIDTH, HEIGHT, SIZE = 40, 30, 10.0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def run(*arguments, want=0):
    done = subprocess.run([taco, *arguments], capture_output=True, text=True)
    check(f"exit status of {arguments[1:]}", done.returncode == want, done.stderr)
    return done


def geotiff(pixels, crs, transform):
    with MemoryFile() as memory:
        with memory.open(driver="GTiff", width=pixels.shape[2], height=pixels.shape[1], count=pixels.shape[0],
                         dtype=pixels.dtype, crs=crs, transform=transform, nodata=0) as f:
            f.write(pixels)
        return memory.read()


def polygon(west, south, east, north):
    """WKB, big-endian and with Z on every second tile, as writers do."""
    ring = [(west, south), (west, north), (east, north), (east, south), (west, south)]
    if west % 20:
        return struct.pack("<BIII", 1, 3, 1, 5) + b"".join(struct.pack("<dd", *p) for p in ring)
    return struct.pack(">BIII", 0, 1003, 1, 5) + b"".join(struct.pack(">ddd", *p, 7.5) for p in ring)


def archive(path, tiles):
    """A .tacozip of one level: TACO_HEADER with the places of the metadata, the tiles, level0.parquet, COLLECTION.json."""
    collection = json.dumps({"id": "made", "dataset_version": "1.0.0", "description": "made", "tasks": [],
                             "taco:pit_schema": {"root": {"n": len(tiles), "type": "FILE"}, "hierarchy": {}}}).encode()

    def write(header, level0):
        out, places = io.BytesIO(), {}
        with zipfile.ZipFile(out, "w") as z:
            z.writestr("TACO_HEADER", header)
            for tile in tiles:
                z.writestr(f"DATA/{tile['id']}", tile["bytes"])
            z.writestr("METADATA/level0.parquet", level0)
            z.writestr("COLLECTION.json", collection)
            for i in z.infolist():
                places[i.filename] = (i.header_offset + 30 + len(i.filename), i.file_size)
        return out.getvalue(), places

    _, places = write(bytes(116), b"")
    columns = {"id": [t["id"] for t in tiles], "type": ["FILE"] * len(tiles),
               "stac:crs": [t["crs"] for t in tiles],
               "stac:geotransform": [t["transform"].to_gdal() for t in tiles],
               "stac:tensor_shape": [list(t["pixels"].shape) for t in tiles],
               "istac:geometry": [polygon(*t["globe"]) for t in tiles],
               "note": ["a < b & \"c\" > 'd' ]]>"] * len(tiles),
               "internal:current_id": list(range(len(tiles))), "internal:parent_id": list(range(len(tiles))),
               "internal:offset": [places[f"DATA/{t['id']}"][0] for t in tiles],
               "internal:size": [places[f"DATA/{t['id']}"][1] for t in tiles]}
    level0 = io.BytesIO()
    pq.write_table(pa.table(columns), level0, compression="zstd")
    _, places = write(bytes(116), level0.getvalue())
    header = struct.pack("<IQQQQ", 2, *places["METADATA/level0.parquet"], *places["COLLECTION.json"])
    with open(path, "wb") as f:
        f.write(write(header.ljust(116, b"\0"), level0.getvalue())[0])


def tiles_of(crs, x0, y0, value=None, prefix="t", size=SIZE):
    """Two rows of three tiles, without the middle one of the second row."""
    random, out = np.random.default_rng(7), []
    for row in range(2):
        for column in range(3):
            pixels = random.integers(1, 60000, (2, HEIGHT, WIDTH), dtype=np.uint16)
            if value:
                pixels[:] = value + 10 * row + column
            transform = Affine(size, 0, x0 + column * WIDTH * size, 0, -size, y0 - row * HEIGHT * size)
            west, north = transform * (0, 0)
            east, south = transform * (WIDTH, HEIGHT)
            if (row, column) != (1, 1):
                out.append({"id": f"{prefix}{row}{column}", "crs": crs, "transform": transform, "pixels": pixels,
                            "place": (row, column), "bytes": geotiff(pixels, crs, transform),
                            "globe": transform_bounds(crs, "EPSG:4326", west, south, east, north)})
    return out


def same_pixels(name, mosaic, tiles, windows=True):
    """Each tile by a window of its own, or all by one read: GDAL 3.10 loses windows where tiles touch, as GeoJSON's do."""
    if not windows:
        everything = np.zeros((2, 2 * HEIGHT, 3 * WIDTH), np.uint16)
        for t in tiles:
            row, column = t["place"]
            everything[:, row * HEIGHT:(row + 1) * HEIGHT, column * WIDTH:(column + 1) * WIDTH] = t["pixels"]
        check(f"{name}: all pixels", np.array_equal(mosaic.read(), everything))
        return
    for t in tiles:
        row, column = t["place"]
        window = Window(column * WIDTH, row * HEIGHT, WIDTH, HEIGHT)
        check(f"{name}: pixels of {t['id']}", np.array_equal(mosaic.read(window=window), t["pixels"]))
    check(f"{name}: nothing where no tile is", not mosaic.read(window=Window(WIDTH, HEIGHT, WIDTH, HEIGHT)).any())


def mosaics(directory):
    made, gti = f"{directory}/it's made & < >.tacozip", f"{directory}/made.gti"
    tiles = tiles_of("EPSG:32618", 500000, 4400000)
    archive(made, tiles)
    run("query", made, "--format", "gti", "--overwrite", "-o", gti, "--select", "id, note, \"stac:geotransform\"")
    with rasterio.open(gti) as m:
        check("driver", m.driver == "GTI", m.driver)
        check("grid", m.shape == (2 * HEIGHT, 3 * WIDTH) and m.transform == Affine(SIZE, 0, 500000, 0, -SIZE, 4400000),
              f"{m.shape} {m.transform}")
        check("crs, bands, type", m.crs == "EPSG:32618" and m.count == 2 and set(m.dtypes) == {"uint16"})
        same_pixels("mosaic", m, tiles)
    # a box, a predicate: the mosaic of what is left
    run("query", made, "--format", "gti", "--overwrite", "-o", gti, "--where", "id IN ('t01', 't02')")
    with rasterio.open(gti) as m:
        check("subset", m.shape == (HEIGHT, 2 * WIDTH) and np.array_equal(m.read()[:, :, :WIDTH], tiles[1]["pixels"]))
    # standard output and -o are the same bytes
    with open(gti, encoding="utf-8") as f:
        check("stdout", run("query", made, "--format", "gti", "--where", "id IN ('t01', 't02')").stdout == f.read())


def degrees(directory):
    made, out = f"{directory}/degrees.tacozip", f"{directory}/degrees.geojson"
    tiles = tiles_of("EPSG:4326", 10, 50, size=0.25)
    archive(made, tiles)
    run("query", made, "--format", "geojson", "--overwrite", "-o", out)
    with open(out, encoding="utf-8") as f:
        features = json.load(f)["features"]
    check("features", [x["properties"]["id"] for x in features] == [t["id"] for t in tiles])
    check("columns", features[0]["properties"]["note"] == "a < b & \"c\" > 'd' ]]>" and
          features[0]["properties"]["stac:tensor_shape"] == [2, HEIGHT, WIDTH])
    check("footprint", features[0]["geometry"] == {"type": "Polygon", "coordinates":
                                                   [[[10, 42.5], [20, 42.5], [20, 50], [10, 50], [10, 42.5]]]},
          features[0]["geometry"])
    with rasterio.open(f"GTI:{out}") as m:  # footprints in degrees are an index as they stand
        check("GeoJSON as an index", m.shape == (2 * HEIGHT, 3 * WIDTH) and m.crs == "EPSG:4326")
        same_pixels("GeoJSON", m, tiles, windows=False)


def zones(directory):
    """Tiles of two UTM zones: one mosaic a zone, or polygons in degrees, into which GDAL warps them."""
    made, gti = f"{directory}/zones.tacozip", f"{directory}/zones.gti"
    tiles = tiles_of("EPSG:32618", 720000, 4400000, 100, "a") + tiles_of("EPSG:32619", 210000, 4400000, 200, "b")
    archive(made, tiles)
    said = run("query", made, "--format", "gti", "--overwrite", "-o", gti, want=1).stderr
    check("two zones", said.count("\n") == 1 and "EPSG:32619" in said and "EPSG:32618" in said and "stac:crs" in said, said)
    check("no file", not os.path.exists(gti) and not os.path.exists(gti + ".part"))
    run("query", made, "--format", "gti", "--overwrite", "-o", gti, "--where", "\"stac:crs\" = 'EPSG:32619'")
    with rasterio.open(gti) as m:
        check("one zone", m.crs == "EPSG:32619")
        same_pixels("one zone", m, tiles[5:])
    run("query", made, "--format", "gti", "--overwrite", "-o", gti, "--geometry-col", "istac:geometry")
    with rasterio.open(gti) as m:
        check("warped", m.crs == "EPSG:4326")
        for t in tiles:
            west, south, east, north = t["globe"]
            value = next(m.sample([((west + east) / 2, (south + north) / 2)]))[0]
            check(f"warped: {t['id']}", value == t["pixels"][0, 0, 0], value)


def fixtures(directory, root):
    dataset, gti = f"{root}/good/nested/nested.tacozip", f"{directory}/nested.gti"
    for sample in "image", "label":
        where = f"id = '{sample}'"
        run("query", dataset, "--table", "l1", "--level", "1", "--where", where, "--limit", "1", "--format", "gti", "--overwrite", "-o", gti)
        path = run("query", dataset, "--table", "l1", "--level", "1", "--where", where, "--limit", "1", "--format",
                   "vsi").stdout.strip()
        with rasterio.open(gti) as m, rasterio.open(path) as tile:
            check(f"fixture {sample}", m.crs == tile.crs and m.transform == tile.transform and
                  np.array_equal(m.read(), tile.read()))
    check("FOLDERs", "FOLDER" in run("query", dataset, "--format", "gti", want=1).stderr)
    out = run("query", f"{root}/good/geo_istac/geo_istac.tacozip", "--format", "geojson").stdout
    check("geometries", [f["geometry"]["type"] for f in json.loads(out)["features"]] ==
          ["Polygon", "Polygon", "MultiPolygon", "LineString", "Point", "MultiPoint", "Polygon", "GeometryCollection",
           "Polygon", "Polygon"])


version = tuple(int(x) for x in rasterio.__gdal_version__.split(".")[:2])
if version < (3, 9):
    sys.exit(f"{__file__} needs GDAL 3.9, which has the GTI driver: this is {rasterio.__gdal_version__}")
warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory() as scratch:
    mosaics(scratch)
    degrees(scratch)
    zones(scratch)
    if len(sys.argv) > 2:
        fixtures(scratch, os.path.realpath(sys.argv[2]))
print(f"GDAL {rasterio.__gdal_version__}: {passed} passed, {failed} failed")
sys.exit(failed != 0)
