#!/usr/bin/env python3
"""legacy.py TACO SHARED DIR [--count N] [--seed S] [--v2 PYTHON] - old datasets between taco and the real old tools.

 - N tortillas by the real pytortilla (nested, in parts, odd columns), read here and by tacoreader 0.5.6: same rows
 - files that taco writes (create, parts, compile, edits), opened by tacoreader 0.5.6: same content
 - `taco validate` finds no error in what the real writers made, fixtures and fresh files, nor in what taco writes
 - to-taco and to-tortilla against tacotoolbox's tortilla2taco and taco2tortilla: same bytes
 - every fixture, and what was made, to TACO 2 and back: same rows and payloads; what is between passes validate --deep
   and, with --v2, is opened by tacoreader 2: same samples, same bytes. Collections of TIFFs to TACO 2, too.
Runs with the environment `legacy` of reference_env.sh."""
import argparse, contextlib, glob, hashlib, io, json, math, os, random, re, shutil, subprocess, sys, warnings

warnings.simplefilter("ignore")
ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("shared"); ap.add_argument("dir")
ap.add_argument("--count", type=int, default=20); ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--v2", help="Python of the environment v2")
A = ap.parse_args()
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import tacoreader, tacotoolbox
import pytortilla
from pytortilla.datamodel import Sample, Samples
from pytortilla.datamodel.main import RAI, STAC

# as the real one, without a pool of processes for a handful of rows
Samples.export_metadata = lambda self, nworkers=4, chunk_size=1000: pd.DataFrame([x.export_metadata() for x in self.samples])

A.taco, A.shared = os.path.abspath(A.taco), os.path.realpath(A.shared)
shutil.rmtree(A.dir, ignore_errors=True)
os.makedirs(A.dir)
os.chdir(A.dir)
here = os.path.realpath(".")
rnd = random.Random(A.seed)
checks = failures = 0


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *(str(w)[:400] for w in what), flush=True)
    return ok


def run(*args, status=0):
    p = subprocess.run([A.taco, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(p.returncode == status, " ".join(map(str, args)), p.returncode, p.stderr.decode())
    return p.stdout


def rows(*args):
    return [json.loads(x) for x in run("query", *args, "--format", "ndjson", "--quiet").decode().splitlines()]


def quiet(f, *args, **kw):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return f(*args, **kw)


def plain(v):
    """a value of pandas as the tool prints it; null, NaN and NaT are one here, pandas cannot tell them apart"""
    if v is None or v is pd.NaT or (isinstance(v, float) and math.isnan(v)):
        return None
    if isinstance(v, np.ndarray):
        return [plain(x) for x in v.tolist()]
    if isinstance(v, np.generic):
        return plain(v.item())
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, pd.Timestamp):
        return v.tz_localize(None).isoformat(timespec="nanoseconds") + ("Z" if v.tz else "")
    if isinstance(v, float) and v == int(v) and abs(v) < 1e15:
        return int(v)                                    # pandas makes floats of integers beside nulls
    return v if isinstance(v, (str, int, float, bool)) else str(v)


def absolute(vsi):
    """With links resolved, as the tool gives it; the reader has the path that it was given."""
    return ",".join(vsi.split(",")[:-1] + [os.path.realpath(vsi.split(",")[-1])]) if isinstance(vsi, str) else vsi


def of_reader(df):
    return [{k: absolute(v) if k == "internal:subfile" else plain(v)
             for k, v in r.items() if k == "internal:subfile" or not k.startswith(("internal:", "__index"))}
            for r in df.to_dict("records")]


def of_tool(got, own=("id", "type")):
    return [{k: plain(None if v == "NaN" else v) for k, v in r.items()
             if k == "internal:subfile" or not (k.startswith("internal:") or k in own)} for r in got]


def same_table(what, df, got):
    a, b = of_reader(df), of_tool(got)
    for x, y in zip(a, b):                               # pandas has nanoseconds whatever the file has
        for k in [k for k in x if "datetime" in str(df.dtypes.get(k, "")) and y.get(k)]:
            whole, dot, part = y[k].rstrip("Z").partition(".")
            y[k] = whole + "." + part.ljust(9, "0") + ("Z" if y[k].endswith("Z") else "")
    check(a == b, what, next(((x, y) for x, y in zip(a, b) if x != y), (len(a), len(b))))


def sub(path):
    place, file = path[len("/vsisubfile/"):].split(",", 1)
    at, n = map(int, place.split("_"))
    with open(file, "rb") as f:
        f.seek(at)
        return f.read(n)


# ---------------------------------------------------------------- what the real writer makes, read here

def payload(n):
    path = "%s/p%d.bin" % (here, n)
    if not os.path.exists(path):
        with open(path, "wb") as f:
            f.write(rnd.randbytes(rnd.choice([0, 1, 50, 3000])))
    return path


def extras(i):
    out = {}
    if flavour & 1: out["cloud"] = rnd.choice([None, 1.5, float(i)])
    if flavour & 2: out["tag"] = rnd.choice(["ñ", "a,b", ""])
    if flavour & 4: out["vec"] = [float(x) for x in range(rnd.randrange(4))]
    if flavour & 8: out["n"] = rnd.choice([None, i, -i])
    if flavour & 16: out["st"] = {"k": i, "z": [1, 2]}
    if flavour & 32: out["id"] = "own%d" % i
    if flavour & 64: out["flag"] = rnd.choice([True, False, None])
    if flavour & 128: out["when"] = pd.Timestamp(1600000000 + i, unit="s", tz=rnd.choice([None, "UTC"]) if flavour & 1 else None)
    if flavour & 256: out["deep"] = [{"a": [i] * rnd.randrange(3), "b": rnd.choice([None, "x"])} for _ in range(rnd.randrange(3))]
    if flavour & 512: out["none"] = None
    if flavour & 1024: out["type"] = "mine"
    return out


def stac(i):
    start = rnd.choice([i, 1.5e9 + i / 4, 1600000000 + i])
    return STAC(crs=rnd.choice(["EPSG:4326", "EPSG:32630"]), raster_shape=(rnd.randrange(1, 99), 7), time_start=start,
                geotransform=(rnd.uniform(-5, 5), .25, 0, rnd.uniform(30, 50), 0, -.25), time_end=rnd.choice([None, start + 9]))


def name_of(prefix, i):
    return "%s_%d%s" % (prefix, i, rnd.choice(["", "", "", " ñ", "'q\"", ",b", "/c", ".tif", "@"]))


def samples(prefix, n, depth):
    out = []
    for i in range(n):
        if depth and rnd.random() < 0.6:
            inner = "%s/%s_%d.in.tortilla" % (here, prefix, i)
            quiet(pytortilla.create, Samples(samples=samples("%s%d" % (prefix, i), rnd.randrange(1, 4), depth - 1)), inner)
            if rnd.random() < .2:                        # a TACO inside
                quiet(tacotoolbox.tortilla2taco, inner, model)
            s = Sample(id=name_of(prefix, i), file_format="TORTILLA", path=inner)
        else:
            s = Sample(id=name_of(prefix, i), file_format=rnd.choice(["BYTES", "BYTES", "GTiff", "PNG"]), path=payload(rnd.randrange(40)),
                       data_split=rnd.choice([None, "train", "test", "validation"]))
        if flavour & 2048:
            s.stac_data = stac(i)
        if flavour & 4096:
            s.rai_data = RAI(ele=i, cisi=.5, gdp=1, hdi=.25, gmi=0, pop=i * 3.5, admin0="missing", admin1="ñ", admin2="x")
        if depth == 0 or flavour & 8192:
            e = extras(i)
            if "id" not in e and hasattr(s, "extend_with"):
                s.extend_with(e)
        out.append(s)
    return out


def read_all(what, files, df, keys=()):
    for i in range(len(df)):
        key = "/".join(keys + (df.iloc[i]["tortilla:id"],))  # '/' in an id: found where it is not ambiguous, or behind '\\'
        if rnd.random() < .5:
            key = "/".join(x.replace("\\", "\\\\").replace("/", "\\/") for x in keys + (df.iloc[i]["tortilla:id"],))
        file = df.iloc[i]["internal:subfile"].split(",", 1)[1]
        if df.iloc[i]["tortilla:file_format"] == "TORTILLA":
            inner = quiet(df.read, i)
            got = [json.loads(x) for x in run("read", file, key, "--format", "ndjson").decode().splitlines()]
            same_table(what + " read " + key, inner, got)
            read_all(what, files, inner, keys + (df.iloc[i]["tortilla:id"],))
        else:
            check(run("get", file, key) == sub(df.iloc[i]["internal:subfile"]), what, "get", key)


b = open(A.shared + "/legacy/A2/flat.taco", "rb").read()
document = json.loads(b[int.from_bytes(b[26:34], "little"):])


class Model:                                             # what tortilla2taco asks of a Collection
    def model_dump_json(self):
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


model = Model()
for number in range(A.count):
    flavour = rnd.randrange(1 << 14)
    depth = rnd.choice([0, 0, 1, 2])
    name = "%s/r%d.tortilla" % (here, number)
    size = rnd.choice(["20GB", "20GB", "4KB"])
    try:
        made = quiet(pytortilla.create, Samples(samples=samples("s%d" % number, rnd.randrange(1, 14), depth)), name,
                     chunk_size=size, quiet=True)
    except Exception as e:                               # an over-size first sample breaks the real writer
        print("skipped", number, type(e).__name__, str(e)[:80])
        continue
    made = [str(x) for x in (made if isinstance(made, list) else [made])]
    if rnd.random() < .3:                                # a TACO, its collection in every part
        for x in made:
            quiet(tacotoolbox.tortilla2taco, x, model)
    df = quiet(tacoreader.load, made if len(made) > 1 else made[0])
    same_table("random %d" % number, df, rows(*made))
    info = json.loads(run("info", *made, "--json"))
    check(info["collection"] == (document if open(made[0], "rb").read(2) == b"WX" else None), made, "collection")
    read_all("random %d" % number, made, df)
    for x in made:                                       # no rule refuses what the real writers make
        run("validate", x)

# ---------------------------------------------------------------- what taco writes, read by the real reader

old = A.shared + "/legacy"
for x in sorted(glob.glob(old + "/A?/*.t*") + glob.glob(old + "/specmade-020/*.t*")):
    run("validate", x, status=1 if os.path.basename(x).startswith("bad_") else 0)


def sized(n):
    with open("%s/t%d.bin" % (here, n), "wb") as f:
        f.write(bytes([n]) * (0, 1, 3000)[n % 3])
    return f.name


def table(n):
    rnd_ids = ["s%d" % i for i in range(n)]
    return pa.table({
        "path": [sized(i) for i in range(n)], "tortilla:id": rnd_ids, "tortilla:file_format": ["BYTES"] * n,
        "tortilla:data_split": pa.array([["train", "test", None][i % 3] for i in range(n)]),
        "stac:geotransform": [[1.0 * i, 10.0, 0.0, 0.0, 0.0, -10.0] for i in range(n)],
        "stac:time_start": pa.array(range(n), pa.int64()), "x": pa.array([None, 1.5] * (n // 2) + [2.0] * (n % 2)),
        "st": [{"k": i, "z": [i]} for i in range(n)]})


t = table(11)
pq.write_table(t, "samples.parquet")
collection = open(old + "/A2/flat.taco", "rb").read()
fields = [int.from_bytes(collection[i:i + 8], "little") for i in range(2, 42, 8)]
collection = collection[fields[3]:fields[3] + fields[4]]
open("collection.json", "wb").write(collection)
run("tortilla", "create", "samples.parquet", "w.tortilla")
run("tortilla", "create", "samples.parquet", "w.taco", "--collection", "collection.json")
run("tortilla", "create", "samples.parquet", "parts.taco", "--collection", "collection.json", "--part-size", "4000")
for files in (["w.tortilla"], ["w.taco"], sorted(glob.glob("parts.*.part.taco"))):
    df = quiet(tacoreader.load, files if len(files) > 1 else files[0])
    want = {r["tortilla:id"]: r for r in t.to_pylist()}
    check(len(df) == len(want), files, len(df))
    for r in of_reader(df):
        w = {k: plain(v) for k, v in want[r["tortilla:id"]].items() if k != "path"}
        check({k: r[k] for k in w} == w, files, r, w)
        check(sub(r["internal:subfile"]) == open(want[r["tortilla:id"]]["path"], "rb").read(), files, r["tortilla:id"])
    same_table("w", df, rows(*files))
    for x in files:
        check(b"error" not in run("validate", x), x, "validate")
    if files[0].endswith(".taco"):
        check(quiet(tacoreader.load_metadata, files[0]) == json.loads(collection), files, "collection")
parts = sorted(glob.glob("parts.*.part.taco"))
check(len(parts) > 1 and parts[0] == "parts.0000.part.taco", parts)
check(all(int.from_bytes(open(p, "rb").read(26)[18:26], "little") == len(parts) for p in parts), "DP of parts")

# in place and back: the same bytes as the real tools make
shutil.copy(old + "/A2/flat.tortilla", "a.tortilla")
run("tortilla", "to-taco", "a.tortilla", "a.taco", "--collection", "collection.json")
check(open("a.taco", "rb").read() == open(old + "/A2/tortilla2taco.taco", "rb").read(), "to-taco: bytes")
run("tortilla", "to-tortilla", "a.taco", "b.tortilla")
check(open("b.tortilla", "rb").read() == open("a.tortilla", "rb").read(), "to-tortilla: bytes")
shutil.copy("w.taco", "c.taco")
quiet(tacotoolbox.taco2tortilla, "c.taco")
run("tortilla", "to-tortilla", "w.taco", "d.tortilla")
check(open("c.taco", "rb").read() == open("d.tortilla", "rb").read() == open("w.tortilla", "rb").read(), "taco2tortilla")
other = dict(json.loads(collection), dataset_version="9.9.9")
json.dump(other, open("other.json", "w"))
run("tortilla", "edit-collection", "w.taco", "w.taco", "--collection", "other.json")
check(quiet(tacoreader.load_metadata, "w.taco") == other, "edit-collection")

# edit-footer: fewer rows, another column
df = quiet(tacoreader.load, old + "/A2/flat.taco")
keep = df.drop(columns=["internal:subfile"]).iloc[[4, 1]].reset_index(drop=True)
keep["mine"] = ["p", "q"]
pq.write_table(pa.Table.from_pandas(pd.DataFrame(keep), preserve_index=False), "footer.parquet")
run("tortilla", "edit-footer", old + "/A2/flat.taco", "e.taco", "--samples", "footer.parquet")
e = quiet(tacoreader.load, "e.taco")
check(list(e["mine"]) == ["p", "q"] and list(e["tortilla:id"]) == ["s4", "s1"], "edit-footer", list(e["tortilla:id"]))
check([sub(p) for p in e["internal:subfile"]] == [sub(df.iloc[i]["internal:subfile"]) for i in (4, 1)], "edit-footer bytes")
check(quiet(tacoreader.load_metadata, "e.taco") == json.loads(collection), "edit-footer collection")

# compile: beside the real one
df = quiet(tacoreader.load, old + "/A2/flat.taco")
quiet(tacoreader.compile, df[df["tortilla:data_split"] == "train"], "real.tortilla", quiet=True)
run("tortilla", "compile", old + "/A2/flat.taco", "ours.tortilla", "--where", "\"tortilla:data_split\" = 'train'")
a, b = quiet(tacoreader.load, "real.tortilla"), quiet(tacoreader.load, "ours.tortilla")
strip = lambda d: [{k: v for k, v in r.items() if k != "internal:subfile"} for r in of_reader(d)]
check(strip(a) == strip(b) and list(a.columns) == list(b.columns), "compile", list(a.columns), list(b.columns))
check([sub(p) for p in a["internal:subfile"]] == [sub(p) for p in b["internal:subfile"]], "compile bytes")
run("tortilla", "compile", *sorted(glob.glob(old + "/A2/parts.*.tortilla")), "ours2.tortilla")
check(len(quiet(tacoreader.load, "ours2.tortilla")) == 6, "compile of parts")

# ---------------------------------------------------------------- forward and back: every fixture that can be converted

PLACES = ("tortilla:offset", "tortilla:length", "internal:subfile", "root", "tortilla:root")


def tree(files):
    """[{path: (row without places, hash of the bytes)}] of the samples, by level; bytes by their own paths"""
    out = []
    for k in range(json.loads(run("info", *files, "--json"))["max_depth"] + 1):
        out.append({})
        for r in rows(*files, "--table", "level%d" % k):
            key = r.get("internal:relative_path") or r["tortilla:id"]
            sha = hashlib.sha1(sub(r["internal:subfile"])).hexdigest() if r["type"] == "FILE" else ""
            out[k][key] = ({c: v for c, v in r.items() if not c.startswith("internal:") and c not in PLACES and v is not None}, sha)
    return out


def renamed(path):                                       # as ids of TACO 2 must be
    return path.replace("/c", "_c")                      # only ids made here have a "/", and no id begins with c


# samples that have different trees: no padding makes them one
DIFFER = {old + "/A2/nested.tortilla", old + "/A2/deep.tortilla", old + "/A2/taco_inside.tortilla"}
groups = {}
for f in sorted(glob.glob(old + "/A[012]/*.tor*") + glob.glob(old + "/A[012]/*.taco") + glob.glob(old + "/specmade-*/*.t*") +
                glob.glob(here + "/r*.tortilla")):
    if "/bad_" not in f:
        groups.setdefault(re.sub(r"\.\d{4}\.part", "", f), []).append(f)
converted = {}
for name, files in groups.items():
    z = "%s/%s.tacozip" % (here, os.path.basename(os.path.dirname(name)) + "_" + os.path.basename(name).replace(".", "_"))
    chain = "/specmade-" in name
    how = []
    for how in ([], ["--pad"], ["--any-tree"]):
        p = subprocess.run([A.taco, "convert", *files, z, "--quiet", *how], stderr=subprocess.PIPE, text=True)
        if p.returncode == 0:
            break
        check("PIT-1" in p.stderr or "a column" in p.stderr, files, how, p.stderr)
    check(p.returncode == 0, files, p.stderr)
    check(name.startswith(here) or (how == ["--any-tree"]) == (name in DIFFER), name, how)
    a = tree(files)
    if chain:                                            # the table of chunks has no place in TACO 2
        a = [t for t in a if not any("::" in k for k in t)]
    run("validate", z, "--deep")
    if how != ["--any-tree"]:
        converted[z] = {renamed(k): v[1] for t in a for k, v in t.items() if v[1]}
    back = z[:-8] + ".back" + (".taco" if name.endswith(".taco") else ".tortilla")
    run("convert", z, back, "--quiet")
    b = tree([back])
    for x, y in zip(a, b):
        for key in x:
            if "/A0/" in name or "/A1/" in name:
                y.get(key, ({}, 0))[0].pop("tortilla:file_format", None)
                x[key][0].pop("tortilla:file_format", None)
            check(key in y and x[key] == y[key], name, key, x[key], y.get(key))
        check(len(x) == len(y), name, len(x), len(y))
    check(len(a) == len(b), name, len(a), len(b))
    df = quiet(tacoreader.load, back)
    check(sorted(df["tortilla:id"]) == sorted(r["tortilla:id"] for r, _ in a[0].values()), back)
    if name.endswith(".taco"):
        want = json.loads(run("info", files[0], "--json"))["collection"]
        check(quiet(tacoreader.load_metadata, back) == want, back, "collection")

# collections of TIFFs: their files become samples
json.dump(dict(id="x", dataset_version="1", description="d", licenses=["CC0-1.0"], tasks=["other"],
               providers=[{"name": "p", "roles": ["host"]}]), open("two.json", "w"))
for path in sorted(glob.glob(old + "/rasteret-[rd]*/*_*") + glob.glob(old + "/rasteret-r*/*.parquet")):
    if path.endswith(".json"):
        continue
    z = "%s/%s_%s.tacozip" % (here, path.split("/")[-2], os.path.basename(path).replace(".", "_"))
    p = subprocess.run([A.taco, "convert", path, z, "--collection", here + "/two.json"], cwd=old, capture_output=True, text=True)
    check(p.returncode == 0, path, p.stderr)
    run("validate", z, "--deep")
    want = {}
    for r in rows(path):
        href = next(x for x in r["assets"].values() if x)
        href = href if isinstance(href, str) else href["href"]
        want[renamed(r["id"])] = hashlib.sha1(open(os.path.join(old, href), "rb").read()).hexdigest()
    check(len(rows(z)) == len(want), z, len(want))
    converted[z] = want

if A.v2:
    code = """
import sys, json, hashlib, tacoreader
def sha(p):
    place, file = p[len('/vsisubfile/'):].split(',', 1)
    at, n = map(int, place.split('_'))
    f = open(file, 'rb'); f.seek(at)
    return hashlib.sha1(f.read(n)).hexdigest()
def walk(d, keys, out):
    for i, r in enumerate(d._data.select(['id', 'type', 'internal:gdal_vsi']).to_pylist()):
        if r['type'] == 'FILE': out['/'.join(keys + [r['id']])] = sha(r['internal:gdal_vsi'])
        else: walk(d.read(i), keys + [r['id']], out)
    return out
for p in sys.stdin.read().split('\\0'):
    print('@@' + json.dumps([p, walk(tacoreader.load(p).data, [], {})]))
"""
    home = os.path.join(os.path.dirname(os.path.dirname(A.v2)), "home")
    p = subprocess.run([A.v2, "-c", code], input="\0".join(converted), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       env=dict(os.environ, HOME=home))
    check(p.returncode == 0, "tacoreader 2", p.stderr[-300:])
    got = dict(json.loads(line[2:]) for line in p.stdout.splitlines() if line.startswith("@@"))
    for z, want in converted.items():
        check(got.get(z) == want, "tacoreader 2", z, sorted(set(want.items()) ^ set(got.get(z, {}).items()))[:4])
    print("%d converted datasets opened by tacoreader 2" % len(got))

print("legacy.py: %d checks, %d failures" % (checks, failures))
sys.exit(1 if failures else 0)
