#!/usr/bin/env python3
"""gdal_stats.py TACO DIR [--images N] [--size PIXELS] [--runs N] - `taco create --stats` beside the reference's GeotiffStats.

The same directory of GeoTIFFs (made here, three bands of uint16, one with nodata) goes to `taco create --tiff --stats`, to
GeotiffStats and to `gdalinfo -stats`, alternating; prints the median processor and wall seconds of each, Python's imports taken
off, and how far the numbers of the first two are from those of gdalinfo. Runs in the reference's environment
(../shared/tools/reference_env.sh v2), with GDAL's Python module of the system. Fails where our numbers differ."""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

ap = argparse.ArgumentParser()
ap.add_argument("taco")
ap.add_argument("dir", type=pathlib.Path)
ap.add_argument("--images", type=int, default=12)
ap.add_argument("--size", type=int, default=1200)
ap.add_argument("--runs", type=int, default=5)
A = ap.parse_args()

SYSTEM = pathlib.Path("/usr/lib/python3/dist-packages/osgeo")
WITH_REFERENCE = """
import sys, json, pathlib, resource, time, warnings
sys.path.insert(0, sys.argv[1])
from osgeo import gdal
gdal.UseExceptions()
from tacotoolbox.datamodel import Sample
from tacotoolbox.sample.extensions.geotiff_stats import GeotiffStats
extension = GeotiffStats()
usage = resource.getrusage(resource.RUSAGE_SELF); cpu = usage.ru_utime + usage.ru_stime; wall = time.time(); out = {}
for p in sorted(pathlib.Path(sys.argv[2]).glob("*.tif")):
    out[p.name] = extension._compute(Sample(id=p.name, path=p))["geotiff:stats"][0].as_py()
wall = time.time() - wall; usage = resource.getrusage(resource.RUSAGE_SELF); cpu = usage.ru_utime + usage.ru_stime - cpu
print(json.dumps({"cpu": cpu, "wall": wall, "stats": out}))
"""


def make_images():
    import numpy as np

    sys.path.insert(0, str(A.dir / "module"))
    from osgeo import gdal

    rng = np.random.default_rng(7)
    (A.dir / "images").mkdir()
    for i in range(A.images):
        ds = gdal.GetDriverByName("GTiff").Create(str(A.dir / "images" / f"i{i:02}.tif"), A.size, A.size, 3, gdal.GDT_UInt16,
                                                  ["TILED=YES", "COMPRESS=ZSTD"])
        ds.SetGeoTransform([500000 + 10 * i, 10, 0, 4600000, 0, -10])
        for b in range(3):
            pixels = rng.gamma(2 + b, 300 + 20 * i, (A.size, A.size)).astype(np.uint16)
            if b == 2:
                pixels[: A.size // 4] = 0
            ds.GetRasterBand(b + 1).WriteRaster(0, 0, A.size, A.size, pixels.tobytes())
            ds.GetRasterBand(b + 1).SetNoDataValue(0)
        ds = None


def child(*command):
    """Standard output, processor and wall seconds of a program."""
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    wall, after = time.time() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def with_taco():
    out = A.dir / "out.tacozip"
    out.unlink(missing_ok=True)
    _, cpu, wall = child(A.taco, "create", A.dir / "images", out, "--collection", A.dir / "c.json", "--tiff", "--stats", "--quiet")
    rows = child(A.taco, "query", out, "--format", "ndjson", "--select", 'id, "geotiff:stats"')[0]
    return cpu, wall, {r["id"]: r["geotiff:stats"] for r in map(json.loads, rows.splitlines())}


def with_gdalinfo():
    copies = A.dir / "copies"  # gdalinfo writes .aux.xml beside them and would read it again
    shutil.rmtree(copies, ignore_errors=True)
    shutil.copytree(A.dir / "images", copies, ignore=shutil.ignore_patterns("*.xml"))
    cpu = wall = 0
    stats = {}
    for p in sorted(copies.glob("*.tif")):
        text, c, w = child("gdalinfo", "-json", "-stats", p)
        cpu, wall = cpu + c, wall + w
        bands = [b["metadata"][""] for b in json.loads(text)["bands"]]
        keys = ["MINIMUM", "MAXIMUM", "MEAN", "STDDEV", "VALID_PERCENT"]
        stats[p.name] = [[float(b["STATISTICS_" + k]) for k in keys] for b in bands]
    return cpu, wall, stats


def with_reference():
    done = json.loads(child(sys.executable, "-c", WITH_REFERENCE, A.dir / "module", A.dir / "images")[0])
    for p in (A.dir / "images").glob("*.xml"):
        p.unlink()
    return done["cpu"], done["wall"], done["stats"]


def farthest(stats, wanted):
    """By column, the largest difference relative to gdalinfo's."""
    worst = [0.0] * 5
    for name, bands in wanted.items():
        for band, right in zip(stats[name], bands, strict=True):
            worst = [max(w, abs(g - r) / max(abs(r), 1e-9)) for w, g, r in zip(worst, band, right)]
    return worst


shutil.rmtree(A.dir, ignore_errors=True)
(A.dir / "module").mkdir(parents=True)
(A.dir / "module" / "osgeo").symlink_to(SYSTEM)
(A.dir / "c.json").write_text(json.dumps({
    "id": "x", "dataset_version": "1.0.0", "description": "d", "licenses": ["MIT"], "tasks": ["other"],
    "providers": [{"name": "n", "roles": ["producer"]}]}))
make_images()
runs = {"taco": [], "reference": [], "gdalinfo": []}
for _ in range(A.runs):
    for name, how in ("taco", with_taco), ("reference", with_reference), ("gdalinfo", with_gdalinfo):
        runs[name].append(how())
right = runs["gdalinfo"][0][2]
print(f"{A.images} images of {A.size} x {A.size} pixels, 3 bands; medians of {A.runs}")
print(f"{'':10} {'CPU s':>7} {'wall s':>7}   farthest from gdalinfo: min, max, mean, std, valid %")
for name, r in runs.items():
    far = farthest(r[0][2], right)
    print(f"{name:10} {statistics.median(x[0] for x in r):7.2f} {statistics.median(x[1] for x in r):7.2f}   " + ", ".join("%.2g" % f for f in far))
    if name == "taco" and (max(far[:4]) > 2e-7 or far[4] > 1e-4):  # float32, and percentages of two decimals
        sys.exit("FAIL: the numbers are not those of gdalinfo")
