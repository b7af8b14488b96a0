#!/usr/bin/env python3
"""places.py TACO DIR [--sqlite MODULE] - children of archives whose FOLDERs are not in byte order, as tacotoolbox writes them.

tacotoolbox 0.26.9 gives the rows of METADATA/level1.parquet and below the places of other samples where ids such as tile_10
come after tile_2. Archives of twelve FOLDERs, of two and of six levels, are made by it, as ZIP, as FOLDER, and in a catalogue of
two archives, one of them with ids in byte order; every way out must lead to the bytes that `taco get` returns, which uses
__meta__: rows and paths of levels and flat views, SQL, Arrow, GTI, GeoParquet, an export, a repaired archive, a catalogue of ours.
Run it with the Python of reference_env.sh v2."""
import argparse, json, os, re, shutil, sqlite3, subprocess, sys
import pyarrow as pa, pyarrow.parquet as pq
import tacotoolbox
from tacotoolbox.datamodel import Sample, Tortilla, Taco

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("--sqlite")
A = ap.parse_args()
TACO, D = os.path.abspath(A.taco), os.path.abspath(A.dir)
shutil.rmtree(D, ignore_errors=True); os.makedirs(D + "/payload")
checks = failures = 0


def check(what, good, more=""):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAIL", what, more)


def run(*words, fails=False, text=True):
    p = subprocess.run([TACO, *words], capture_output=True, text=text)
    if bool(p.returncode) != fails: raise SystemExit("%s: status %d: %s" % (words, p.returncode, p.stderr[-500:]))
    return p


def file(path, sample):
    """A FILE with bytes of its own, and a place of its own."""
    name = D + "/payload/" + "_".join(path)
    if not os.path.exists(name):
        with open(name, "w") as f: f.write("/".join(path) * (1 + sum(map(len, path)) % 7))
    s = Sample(id=path[-1], path=name, type="FILE")
    s.extend_with({"stac:crs": "EPSG:4326", "stac:geotransform": [float(sample), 1.0, 0.0, 10.0, 0.0, -1.0],
                   "stac:tensor_shape": [1, 2, 2], "stac:time_start": 1000000 + sample})
    return s


def tree(ids, depth, path=()):
    """FOLDERs with these ids, two FILEs at the end of each chain of FOLDERs."""
    out = []
    for n, i in enumerate(ids):
        below = [file(path + (i, name), n) for name in ("image", "mask")] if depth == 2 else \
            tree(("z", "a"), depth - 1, path + (i,)).samples
        out.append(Sample(id=i, path=Tortilla(samples=below), type="FOLDER"))
    return Tortilla(samples=out)


def make(ids, depth, name):
    t = Taco(id="x", dataset_version="1.0.0", description="d", licenses=["CC0-1.0"], providers=[dict(name="x", roles=["producer"])],
             tasks=["other"], tortilla=tree(ids, depth))
    tacotoolbox.create(t, name, output_format="folder" if not name.endswith("zip") else "zip")


def bytes_at(path):
    m = re.match(r"/vsisubfile/(\d+)_(\d+),(.*)$", path)
    if not m: return open(path, "rb").read()
    with open(m[3], "rb") as f:
        f.seek(int(m[1]))
        return f.read(int(m[2]))


def rows_of(*words):
    p = run(*words, "--format", "ndjson")
    return [json.loads(x) for x in p.stdout.splitlines()], p.stderr


def want_of(row, depth):
    """The bytes that were put there, by the ids of the chain: what taco get must return, too."""
    path = [row["l%d:id" % l] for l in range(depth)]
    return path, open(D + "/payload/" + "_".join(path), "rb").read()


def check_dataset(name, depth, affected, get=True):
    last = "level%d" % (depth - 1)
    rows, said = rows_of("query", name, "--table", "l%d" % (depth - 1))
    if affected: check(name + ": warned once", said.count("leads to other samples") == 1 and "taco repair" in said, said)
    else: check(name + ": no warning", said == "", said)
    check(name + ": rows", len(rows) > 0)
    wanted = []
    for row in rows:
        path, want = want_of(row, depth)
        wanted.append(want)
        check(name + " " + "/".join(path), bytes_at(row["internal:gdal_vsi"]) == want, row["internal:gdal_vsi"])
    for row in rows[::5] if get else []:
        path, want = want_of(row, depth)
        check("get " + "/".join(path), run("get", name, "/".join(path), text=False).stdout == want)
    paths = run("query", name, "--table", last, "--format", "vsi").stdout.splitlines()
    check(name + ": vsi", [bytes_at(p) for p in paths] == wanted)
    for sql in ('SELECT "internal:gdal_vsi" AS p FROM %s' % last, 'SELECT "internal:gdal_vsi" AS p FROM l%d' % (depth - 1)):
        got, _ = rows_of("query", name, "--sql", sql)
        check(name + ": " + sql, [bytes_at(r["p"]) for r in got] == wanted)
    got, _ = rows_of("query", name, "--sql", 'SELECT "internal:gdal_vsi" AS p FROM %s ORDER BY 1' % last, "--threads", "2")
    check(name + ": sorted", sorted(bytes_at(r["p"]) for r in got) == sorted(wanted))
    out = D + "/rows.arrow"
    run("query", name, "--table", last, "--format", "arrow", "-o", out, "--overwrite")
    with open(out, "rb") as f: t = pa.ipc.open_stream(f).read_all()
    check(name + ": arrow", [bytes_at(p) for p in t["internal:gdal_vsi"].to_pylist()] == wanted)
    for ending in ("gti", "geojson", "stac.geoparquet"):
        out = D + "/rows." + ending
        more = ["--format", "stac-geoparquet"] if "stac" in ending else []
        run("query", name, "--table", last, "-o", out, "--overwrite", *more)
        got = [a["data"]["href"] for a in pq.read_table(out)["assets"].to_pylist()] if "stac" in ending else \
            re.findall(r'"(?:location|internal:gdal_vsi)":"([^"]*)"', open(out).read())
        check(name + ": " + ending, sorted(bytes_at(p) for p in got) == sorted(wanted), got[:2])
    places, _ = rows_of("query", name, "--table", last)
    if "internal:offset" in places[0]:
        least = min(r["internal:offset"] for r in places)
        got, _ = rows_of("query", name, "--table", last, "--level", str(depth - 1), "--where", '"internal:offset" = %d' % least)
        check(name + ": where", len(got) >= 1 and all(r["internal:offset"] == least for r in got))
    if A.sqlite:
        db = sqlite3.connect(":memory:"); db.enable_load_extension(True); db.load_extension(os.path.abspath(A.sqlite))
        db.execute("CREATE VIRTUAL TABLE t USING taco('%s', 'table=%s')" % (name, last))
        check(name + ": sqlite", [bytes_at(p) for p, in db.execute('SELECT "internal:gdal_vsi" FROM t')] == wanted)
    return wanted


ids = ["tile_%d" % i for i in range(12)]
for depth in (2, 6):
    base = "%s/d%d" % (D, depth)
    os.makedirs(base)
    make(ids, depth, base + "/a.zip")
    make(sorted(ids), depth, base + "/b.zip")
    make(ids, depth, base + "/folder")
    wanted = check_dataset(base + "/a.zip", depth, True)
    check_dataset(base + "/b.zip", depth, depth == 6)
    check_dataset(base + "/folder", depth, False)
    tacotoolbox.create_tacocat(inputs=[base + "/a.zip", base + "/b.zip"], output=base)
    theirs = [n for n in os.listdir(base) if n in (".tacocat", "__TACOCAT__")]
    check("their catalogue", len(theirs) == 1, theirs)
    check_dataset(base + "/" + theirs[0], depth, True, get=False)
    os.rename(base + "/" + theirs[0], D + "/their%d" % depth)
    run("tacocat", base, base + "/a.zip", base + "/b.zip", "--unchecked", "--quiet")
    check_dataset(base + "/.tacocat", depth, False, get=False)
    run("export", base + "/a.zip", base + "/e.zip", "--quiet")
    check("export", sorted(check_dataset(base + "/e.zip", depth, False)) == sorted(wanted))
    subprocess.run([TACO, "repair", base + "/a.zip", base + "/r.zip", "--quiet"], capture_output=True)
    check("repair", sorted(check_dataset(base + "/r.zip", depth, False)) == sorted(wanted))
    check("validate says it", "leads to other samples" in run("validate", base + "/a.zip", fails=True).stdout)
    check("info says it", "leads to other samples" in run("info", base + "/a.zip").stderr)
    # where the truth is not to be had, nothing is guessed
    whole = open(base + "/a.zip", "rb").read()
    with open(base + "/cut.zip", "wb") as f: f.write(whole[:whole.rindex(b"PK\1\2")])
    p = run("query", base + "/cut.zip", "--table", "level1", "--format", "vsi", fails=True)
    check("no directory", p.stdout == "" and "cut.zip" in p.stderr and p.stderr.count("\n") == 1, p.stderr)
print("places.py: %d checks, %d failed" % (checks, failures))
sys.exit(failures != 0 or checks == 0)
