#!/usr/bin/env python3
"""legacy.py TACO SHARED DIR [--count N] [--seed S] [--v2 PYTHON] - old datasets between taco and the real old tools.

 - N tortillas by the real pytortilla (nested, in parts, odd columns), read here and by tacoreader 0.5.6: same rows
 - files that taco writes (create, parts, compile, edits), opened by tacoreader 0.5.6: same content
 - to-taco and to-tortilla against tacotoolbox's tortilla2taco and taco2tortilla: same bytes
 - every fixture to TACO 2 and back: same rows and payloads; with --v2, tacoreader 2 opens what is between.
Runs with the environment `legacy` of reference_env.sh."""
import argparse, contextlib, glob, hashlib, io, json, math, os, random, shutil, subprocess, sys, warnings

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
    if isinstance(v, float) and v == int(v) and abs(v) < 1e15:
        return int(v)                                    # pandas makes floats of integers beside nulls
    return v if isinstance(v, (str, int, float, bool)) else str(v)


def of_reader(df):
    return [{k: plain(v) for k, v in r.items() if k == "internal:subfile" or not k.startswith(("internal:", "__index"))}
            for r in df.to_dict("records")]


def of_tool(got, own=("id", "type")):
    return [{k: plain(None if v == "NaN" else v) for k, v in r.items()
             if k == "internal:subfile" or not (k.startswith("internal:") or k in own)} for r in got]


def same_table(what, df, got):
    a, b = of_reader(df), of_tool(got)
    for x in a:
        for k in [k for k in x if "timestamp" in str(df.dtypes.get(k, "")) or "datetime" in str(df.dtypes.get(k, ""))]:
            x.pop(k); [y.pop(k, None) for y in b]
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
    return out


def samples(prefix, n, depth):
    out = []
    for i in range(n):
        if depth and rnd.random() < 0.6:
            inner = "%s/%s_%d.in.tortilla" % (here, prefix, i)
            quiet(pytortilla.create, Samples(samples=samples("%s%d" % (prefix, i), rnd.randrange(1, 4), depth - 1)), inner)
            s = Sample(id="%s_%d" % (prefix, i), file_format="TORTILLA", path=inner)
        else:
            s = Sample(id="%s_%d" % (prefix, i), file_format="BYTES", path=payload(rnd.randrange(40)),
                       data_split=rnd.choice([None, "train", "test"]))
        if depth == 0:
            e = extras(i)
            if "id" not in e and hasattr(s, "extend_with"):
                s.extend_with(e)
        out.append(s)
    return out


def read_all(what, files, df, keys=()):
    for i in range(len(df)):
        key = "/".join(keys + (df.iloc[i]["tortilla:id"],))
        file = df.iloc[i]["internal:subfile"].split(",", 1)[1]
        if df.iloc[i]["tortilla:file_format"] == "TORTILLA":
            inner = quiet(df.read, i)
            got = [json.loads(x) for x in run("read", file, key, "--format", "ndjson").decode().splitlines()]
            same_table(what + " read " + key, inner, got)
            read_all(what, files, inner, keys + (df.iloc[i]["tortilla:id"],))
        else:
            check(run("get", file, key) == sub(df.iloc[i]["internal:subfile"]), what, "get", key)


for number in range(A.count):
    flavour = rnd.randrange(32)
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
    df = quiet(tacoreader.load, made if len(made) > 1 else made[0])
    same_table("random %d" % number, df, rows(*made))
    read_all("random %d" % number, made, df)

# ---------------------------------------------------------------- what taco writes, read by the real reader

old = A.shared + "/legacy"


def table(n):
    rnd_ids = ["s%d" % i for i in range(n)]
    return pa.table({
        "path": [payload(i) for i in range(n)], "tortilla:id": rnd_ids, "tortilla:file_format": ["BYTES"] * n,
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

# ---------------------------------------------------------------- forward and back

PLACES = ("tortilla:offset", "tortilla:length", "internal:subfile", "root", "tortilla:root")


def tree(file):
    """{path: (row without places, hash of the bytes)} of all samples of a file, by its levels and keys"""
    out = {}
    levels = json.loads(run("info", file, "--json"))["max_depth"] + 1
    for k in range(levels):
        for r in rows(file, "--table", "level%d" % k):
            key = r.get("internal:relative_path") or r["tortilla:id"]
            sha = hashlib.sha1(run("get", file, key)).hexdigest() if r["type"] == "FILE" else ""
            row = {c: v for c, v in r.items() if not c.startswith("internal:") and c not in PLACES and v is not None}
            out[key] = (row, sha)
    return out


converted = []
for f in sorted(glob.glob(old + "/A[012]/*.tor*") + glob.glob(old + "/A[012]/*.taco") + glob.glob(here + "/r*.tortilla")):
    if "bad_" in f or ".part." in f:
        continue
    name = os.path.basename(os.path.dirname(f)) + "_" + os.path.basename(f)
    z = here + "/" + name.replace(".", "_") + ".tacozip"
    p = subprocess.run([A.taco, "convert", f, z, "--quiet"], stderr=subprocess.PIPE, text=True)
    if p.returncode:                                     # its samples have different trees
        check("PIT-1" in p.stderr or "a column" in p.stderr, f, p.stderr)
        run("convert", f, z, "--any-tree", "--quiet")
    else:
        run("validate", z, "--deep")
        converted.append(z)
    back = z[:-8] + ".back" + (".taco" if f.endswith(".taco") else ".tortilla")
    run("convert", z, back, "--quiet")
    a, b = tree(f), tree(back)
    for key in a:
        if "/A0/" in f or "/A1/" in f:
            b.get(key, ({}, 0))[0].pop("tortilla:file_format", None)
            a[key][0].pop("tortilla:file_format", None)
        check(key in b and a[key] == b[key], f, key, a[key], b.get(key))
    check(len(a) == len(b), f, len(a), len(b))
    df = quiet(tacoreader.load, back)
    check(len(df) == len([k for k in a if "/" not in k]), back)
    if f.endswith(".taco"):
        want = json.loads(run("info", f, "--json"))["collection"]
        check(quiet(tacoreader.load_metadata, back) == want, back, "collection")

if A.v2:
    code = """
import sys, hashlib, tacoreader
def sub(p):
    place, file = p[len('/vsisubfile/'):].split(',', 1)
    at, n = map(int, place.split('_'))
    f = open(file, 'rb'); f.seek(at)
    return hashlib.sha1(f.read(n)).hexdigest()
def walk(d, at):
    for i in range(len(d)):
        x = d.read(i)
        print(sub(x)) if isinstance(x, str) else walk(x, at)
for p in sys.argv[1:]:
    print(p)
    walk(tacoreader.load(p).data, p)
"""
    home = os.path.join(os.path.dirname(os.path.dirname(A.v2)), "home")
    p = subprocess.run([A.v2, "-c", code, *converted], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       env=dict(os.environ, HOME=home))
    check(p.returncode == 0, "tacoreader 2", p.stderr[-300:])
    got = {}
    for line in p.stdout.splitlines():
        if line.startswith("/"):
            got[line] = last = []
        else:
            last.append(line)
    for z in converted:
        shas = []
        depth = json.loads(run("info", z, "--json"))["max_depth"]
        for r in rows(z, "--table", "level%d" % depth):
            shas.append(hashlib.sha1(sub(r["internal:gdal_vsi"])).hexdigest())
        check(set(shas) <= set(got.get(z, [])), "tacoreader 2", z)

print("legacy.py: %d checks, %d failures" % (checks, failures))
sys.exit(1 if failures else 0)
