#!/usr/bin/env python3
"""places.py TACO DIR [--sqlite MODULE] [--duckdb EXTENSION] [--program PLACES] [--wheel] [--node] - children of archives whose FOLDERs are not in byte order, as tacotoolbox writes them.

tacotoolbox 0.26.9 gives the rows of METADATA/level1.parquet and below the places of other samples where ids such as tile_10
come after tile_2. Archives of twelve FOLDERs, of two and of six levels, are made by it, as ZIP, as FOLDER, and in a catalogue of
two archives, one of them with ids in byte order; every way out must lead to the bytes that `taco get` returns, which uses
__meta__: rows and paths of levels and flat views, SQL, Arrow, GTI, GeoParquet, an export, a repaired archive, a catalogue of ours; over HTTP; through the SQLite module (in the sqlite3 shell)
and the DuckDB extension, C programs (places.c: shards and the loader), the Python package and the WebAssembly module in Node.
Run it with the Python of reference_env.sh v2."""
import argparse, functools, http.server, json, os, re, shutil, subprocess, sys, threading, zlib
import pyarrow as pa, pyarrow.parquet as pq
import tacotoolbox
from tacotoolbox.datamodel import Sample, Tortilla, Taco

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("--sqlite"); ap.add_argument("--duckdb"); ap.add_argument("--program")
ap.add_argument("--wheel", action="store_true"); ap.add_argument("--node", action="store_true")
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


class Server(http.server.SimpleHTTPRequestHandler):
    """D over HTTP, with ranges."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def do_GET(self):
        try:
            with open(D + self.path, "rb") as f: whole = f.read()
        except OSError:
            self.send_response(404); self.send_header("Content-Length", "0"); self.end_headers()
            return
        m = re.match(r"bytes=(\d+)-(\d*)$", self.headers.get("Range", ""))
        first = int(m[1]) if m else 0
        part = whole[first:int(m[2]) + 1 if m and m[2] else None]
        self.send_response(206 if m else 200)
        if m: self.send_header("Content-Range", "bytes %d-%d/%d" % (first, first + len(part) - 1, len(whole)))
        self.send_header("Content-Length", str(len(part))); self.end_headers()
        self.wfile.write(part)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
HOST = "http://127.0.0.1:%d" % server.server_port
os.environ["no_proxy"] = "127.0.0.1"
NODE = """import fs from 'node:fs'
import { open } from 'ROOT/bindings/browser/js/index.js'
const ds = await open(new Uint8Array(fs.readFileSync(process.argv[1])))
for (const row of await ds.query({ table: Number(process.argv[2]), level: Number(process.argv[2]) }).rows()) {
  console.log(Buffer.from(await (await ds.payloadOfVsi(row['internal:gdal_vsi'])).bytes()).toString('hex'))
}
"""


@functools.lru_cache(None)
def duckdb_with(extension):
    import duckdb
    db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    db.load_extension(os.path.abspath(extension))
    return db


def elsewhere(name, depth, last, wanted, archive):
    """The same rows through everything that is not the tool reading a local file."""
    if archive:
        url = HOST + name[len(D):]
        for table in (last, "l%d" % (depth - 1)):
            got, _ = rows_of("query", url, "--table", table)
            check("%s: remote %s" % (name, table), [bytes_at(r["internal:gdal_vsi"].replace("/vsicurl/" + HOST, D)) for r in got] == wanted)
    if A.sqlite:
        for more in ("", ", flat=true"):
            script = ".load %s\nCREATE VIRTUAL TABLE t USING taco('%s', level=%d%s);\nSELECT \"internal:gdal_vsi\" FROM t;\n" % (os.path.abspath(A.sqlite), name, depth - 1, more)
            p = subprocess.run(["sqlite3"], input=script, capture_output=True, text=True)
            check("%s: sqlite%s" % (name, more), [bytes_at(x) for x in p.stdout.splitlines()] == wanted, p.stderr[-300:])
    if A.duckdb:
        for how in ("level := %d" % (depth - 1), "level := %d, flat := true" % (depth - 1), "view := 'l%d'" % (depth - 1), "view := '%s'" % last):
            got = duckdb_with(A.duckdb).execute("SELECT \"%sinternal:gdal_vsi\" FROM read_taco('%s', %s)" % ("l%d:" % (depth - 1) if "'l%d'" % (depth - 1) in how else "", name, how)).fetchall()
            check("%s: duckdb %s" % (name, how), [bytes_at(x) for x, in got] == wanted)
    if A.program:
        p = subprocess.run([A.program, name, str(depth - 1)] + ["folder"] * os.path.isdir(name), capture_output=True, text=True)
        said = [x.split(" ", 1) for x in p.stdout.splitlines()]
        check(name + ": loader", [int(x) for what, x in said if what == "batch"] == [zlib.crc32(x) for x in wanted], p.stderr)
        for by in ("rows", "bytes") if not os.path.isdir(name) else ():
            check("%s: shards of %s" % (name, by), [bytes_at(x) for what, x in said if what == by] == wanted)
    if A.wheel:
        import taco_h
        with taco_h.load(name) as ds:
            check(name + ": flatten", [bytes_at(x) for x in ds.flatten(depth - 1)["gdal_vsi"].to_pylist()] == wanted)
            for ranks in (1, 2):
                got = [b for rank in range(ranks) for batch in ds.batches(5, shuffle=False, rank=rank, ranks=ranks, level=depth - 1) for b in batch]
                check("%s: batches of %d" % (name, ranks), sorted(got) == sorted(wanted) and (ranks == 2 or got == wanted))
    if A.node and archive and not os.path.isdir(name):
        root = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
        p = subprocess.run(["node", "--input-type=module", "-e", NODE.replace("ROOT", root), name, str(depth - 1)], capture_output=True, text=True)
        check(name + ": node", [bytes.fromhex(x) for x in p.stdout.splitlines()] == wanted, p.stderr[-500:])


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
    elsewhere(name, depth, last, wanted, get)
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
