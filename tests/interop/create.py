#!/usr/bin/env python3
"""create.py TACO SHARED DIR [--only REGEX] [--no-big] - datasets that taco wrote, read by the reference.

Every good dataset is exported, turned into a FOLDER and into an archive, created anew from its parts, and archives get
columns of tables, in place and into a new one; then
  - tacoreader opens the result: same rows, same paths, and the bytes behind each path are the source's,
  - pyarrow reads from METADATA the values of the source's METADATA, and every __meta__ says what the level says,
  - tacotoolbox's own checks take it (its fields; create_tacocat over archives),
  - unzip -t, Python's zipfile and, where it is there, 7z take the archives,
  - the same again gives the same bytes.
Then archives of 70,000 entries and of 5 GiB (sparse). Runs with the environment `v2` of reference_env.sh."""
import argparse, filecmp, hashlib, io, json, os, re, shutil, subprocess, sys, zipfile
from pathlib import Path

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("shared"); ap.add_argument("dir")
ap.add_argument("--only", default="."); ap.add_argument("--no-big", action="store_true")
A = ap.parse_args()
import pyarrow as pa
import pyarrow.parquet as pq
import tacoreader, tacotoolbox
from tacotoolbox.datamodel import Sample, Taco, Tortilla

tacotoolbox.verbose(False)
checks = failures = listed = adds = 0
SEVEN = shutil.which("7z") or shutil.which("7zz")
if not SEVEN:
    print("SKIPPED 7z: not installed")


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *(str(w)[:500] for w in what), flush=True)
    return ok


def run(*args, status=0):
    p = subprocess.run([A.taco, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(p.returncode == status, " ".join(map(str, args)), p.returncode, p.stderr)
    return p.stdout


def payloads(paths):
    """{path below DATA: sha1} of a source, read with Python's own means; {} for entries two parts have."""
    out = {}
    for path in paths:
        if os.path.isdir(path):
            for d, _, names in os.walk(os.path.join(path, "DATA")):
                for n in names:
                    if n != "__meta__":
                        p = os.path.join(d, n)
                        out[os.path.relpath(p, os.path.join(path, "DATA"))] = hashlib.sha1(open(p, "rb").read()).hexdigest()
        else:
            with zipfile.ZipFile(path) as z:
                for i in z.infolist():
                    if i.filename.startswith("DATA/") and not i.filename.endswith("__meta__"):
                        out[i.filename[5:]] = hashlib.sha1(z.read(i)).hexdigest()
    return out


def plain(t):
    """The type with times as integers: nanoseconds, and years beyond 9999, have no value in Python without pandas."""
    if pa.types.is_struct(t):
        return pa.struct([f.with_type(plain(f.type)) for f in t])
    if pa.types.is_list(t):
        return pa.list_(t.value_field.with_type(plain(t.value_type)))
    return (pa.int64() if t.bit_width == 64 else pa.int32()) if pa.types.is_temporal(t) else t


def rows_of(t):
    return t.cast(pa.schema([f.with_type(plain(f.type)) for f in t.schema])).to_pylist()


def vsi(path):
    if not path.startswith("/vsisubfile/"):
        return open(path, "rb").read()
    where, file = path[12:].split(",", 1)
    offset, size = map(int, where.split("_", 1))
    with open(file, "rb") as f:
        f.seek(offset)
        return f.read(size)


def tables(path):
    """[pyarrow table per level], and a function that reads a __meta__ by its folder's path."""
    if os.path.isdir(path):
        read = lambda name: pq.read_table(io.BytesIO(open(os.path.join(path, name), "rb").read()))
        have = lambda name: os.path.exists(os.path.join(path, name))
    else:
        z = zipfile.ZipFile(path)
        names = set(z.namelist())
        read = lambda name: pq.read_table(io.BytesIO(z.read(name)))
        have = lambda name: name in names
    n = 0
    while have(f"METADATA/level{n}.parquet"):
        n += 1
    return [read(f"METADATA/level{i}.parquet") for i in range(n)], read


def user(rows):
    """The user's columns, by the path of the sample: exports of the reference have rows in any order."""
    rows = sorted(rows, key=lambda r: (r.get("internal:relative_path") or r["id"]))
    return [{k: v for k, v in r.items() if not k.startswith("internal:")} for r in rows]


def ndjson(paths, level):
    return user(json.loads(l) for l in run("query", *paths, "--table", f"level{level}", "--show-padding", "--format", "ndjson").splitlines())


def check_tree(name, path):
    """The level tables against each other, __meta__ and the bytes; returns {path: sha1}."""
    levels, read = tables(path)
    folder = os.path.isdir(path)
    found, above = {}, None
    raw = None if folder else open(path, "rb")
    for n, t in enumerate(levels):
        want = ["internal:current_id", "internal:parent_id"] + ([] if folder else ["internal:offset", "internal:size"]) + (["internal:relative_path"] if n else [])
        check(t.column_names[:2] == ["id", "type"] and t.column_names[-len(want):] == want, name, n, t.column_names)
        rows = rows_of(t)
        paths = []
        for i, r in enumerate(rows):
            check(r["internal:current_id"] == i, name, "current_id", r)
            if n == 0:
                check(r["internal:parent_id"] == i, name, "parent_id", r)
                paths.append(r["id"])
            else:
                p = above[r["internal:parent_id"]] + "/" + r["id"]
                check(r["internal:relative_path"] == p + ("/" if r["type"] == "FOLDER" else ""), name, r)
                paths.append(p)
            if r["type"] == "FILE":
                if folder:
                    b = open(os.path.join(path, "DATA", paths[i]), "rb").read()
                else:
                    raw.seek(r["internal:offset"]); b = raw.read(r["internal:size"])
                found[paths[i]] = hashlib.sha1(b).hexdigest()
            else:
                meta = read(f"DATA/{paths[i]}/__meta__")
                if not folder:
                    raw.seek(r["internal:offset"])
                    check(pq.read_table(io.BytesIO(raw.read(r["internal:size"]))).equals(meta), name, "__meta__ range", r)
                below = rows_of(levels[n + 1])
                kids = [x for x in below if x["internal:parent_id"] == i]
                drop = ("internal:current_id", "internal:parent_id", "internal:relative_path")
                kids = [{k: v for k, v in x.items() if k not in drop} for x in kids]
                check(repr(rows_of(meta)) == repr(kids), name, "__meta__ of", paths[i], rows_of(meta)[:2], kids[:2])
        above = paths
    return found


def check_collection(name, path):
    text = open(os.path.join(path, "COLLECTION.json")).read() if os.path.isdir(path) else zipfile.ZipFile(path).read("COLLECTION.json")
    c = json.loads(text)
    levels, _ = tables(path)
    pit = c["taco:pit_schema"]
    check(pit["root"]["n"] == levels[0].num_rows and pit["shape"][0] == levels[0].num_rows, name, pit)
    for d, patterns in pit["hierarchy"].items():
        check(sum(p["n"] for p in patterns) == levels[int(d)].num_rows, name, d, patterns)
    check([list(v) and [f[0] for f in v] for v in c["taco:field_schema"].values()] ==
          [[k for k in t.column_names if k not in ("internal:offset", "internal:size")] for t in levels], name, "field_schema")
    return c


def refused(paths):
    """What tacoreader says against the source itself: DuckDB has no DECIMAL beyond 38 digits and no half floats."""
    try:
        tacoreader.load(paths if len(paths) > 1 else paths[0])
    except Exception as e:
        return e


def check_reference(name, path, hashes, source):
    """tacoreader: rows and bytes; tacotoolbox: fields and catalogue."""
    global listed
    try:
        ds = tacoreader.load(str(path))
        levels, _ = tables(path)
        seen = {}

        def walk(frame, prefix):
            rows = rows_of(frame.to_arrow() if hasattr(frame, "to_arrow") else frame._data)
            for r in rows:
                p = prefix + r["id"]
                if r["type"] == "FILE":
                    seen[p] = hashlib.sha1(vsi(r["internal:gdal_vsi"])).hexdigest()
                else:
                    walk(frame.read(r["id"]), p + "/")
        walk(ds.data, "")
        visible = {k: v for k, v in hashes.items() if not k.startswith("__TACOPAD")}
        check(seen == visible, name, "tacoreader", len(seen), len(visible))
        check(ds.pit_schema.max_depth() == len(levels) - 1, name, "max_depth")
    except Exception as e:
        known = "NotImplemented" in type(e).__name__ and repr(refused(source)) == repr(e)
        listed += known
        check(known, name, "tacoreader", type(e).__name__, e)
    c = check_collection(name, path)
    try:
        fields = {k: c[k] for k in ("id", "dataset_version", "description", "licenses", "tasks", "title", "keywords", "taco_version")}
        fields["providers"] = [{k: v for k, v in p.items() if k in ("name", "roles", "url", "links")} for p in c["providers"]]
        Taco(tortilla=Tortilla(samples=[Sample(id="x", path=b"x")]), extent=c["extent"], **fields)
    except Exception as e:
        check(False, name, "tacotoolbox fields", type(e).__name__, e)
    if not os.path.isdir(path):
        try:
            out = os.path.join(A.dir, "cat"); shutil.rmtree(out, ignore_errors=True); os.makedirs(out)
            tacotoolbox.create_tacocat([str(path)], out)
        except Exception as e:
            check(False, name, "create_tacocat", type(e).__name__, e)
        check_archive(name, path)


def check_archive(name, path):
    p = subprocess.run(["unzip", "-tqq", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check(p.returncode == 0, name, "unzip -t", p.stdout)
    try:
        with zipfile.ZipFile(path) as z:
            check(z.testzip() is None, name, "zipfile")
    except Exception as e:
        check(False, name, "zipfile", e)
    if SEVEN:
        p = subprocess.run([SEVEN, "t", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(p.returncode == 0, name, SEVEN, p.stdout)


def same(a, b):
    if os.path.isdir(a):
        d = filecmp.dircmp(a, b)
        if d.left_only or d.right_only or d.funny_files:
            return False
        _, bad, odd = filecmp.cmpfiles(a, b, d.common_files, shallow=False)
        return not bad and not odd and all(same(os.path.join(a, n), os.path.join(b, n)) for n in d.common_dirs)
    return filecmp.cmp(a, b, shallow=False)


def compare_values(name, paths, out):
    """User columns: as taco reads both, and, where the source is one dataset of Parquet, as pyarrow does."""
    levels, _ = tables(out)
    for n in range(len(levels)):
        a, b = ndjson(paths, n), ndjson([out], n)
        check(a == b, name, "level", n, a[:1], b[:1])
    one = paths[0]
    if len(paths) == 1 and (one.endswith((".tacozip", ".zip")) or os.path.exists(os.path.join(one, "METADATA/level0.parquet"))):
        try:
            for n, t in enumerate(tables(one)[0]):
                a, b = user(rows_of(t)), user(rows_of(levels[n]))
                check(repr(a) == repr(b), name, "pyarrow, level", n, a[:1], b[:1])
        except OSError:
            pass  # a codec that this pyarrow has not


def sources():
    """(name, paths for taco, files that hold the payload)"""
    good = os.path.join(A.shared, "fixtures/good")
    for n in sorted(os.listdir(good)):
        d = os.path.join(good, n)
        zips = sorted(str(p) for p in Path(d).rglob("*.tacozip"))
        for z in zips:
            yield f"{n}/{os.path.basename(z)}", [z], [z]
        for c in Path(d).rglob("COLLECTION.json"):
            p = c.parent
            if p.name == ".tacocat":
                yield f"{n}/.tacocat", [str(p.parent)], sorted(map(str, p.parent.glob("*.tacozip")))
            else:
                yield f"{n}/{p.name}", [str(p)], [str(p)]
        for c in Path(d).rglob("__TACOCAT__"):
            yield f"{n}/__TACOCAT__", [str(c)], sorted(map(str, c.parent.glob("*.tacozip")))


shutil.rmtree(A.dir, ignore_errors=True); os.makedirs(A.dir)
codec = ["--codec", "zstd"]
for name, paths, files in sources():
    if not re.search(A.only, name):
        continue
    info = json.loads(run("info", *paths, "--json"))
    hashes = payloads(files)
    made = []
    for command, suffix in (("folder2zip", "a.tacozip"), ("zip2folder", "b"), ("export", "c.tacozip"), ("export", "d")):
        out = os.path.join(A.dir, name.replace("/", "-").replace("'", ""), suffix)  # tacoreader keeps headers by path
        os.makedirs(os.path.dirname(out), exist_ok=True)
        again = os.path.join(A.dir, "again" + ("" if suffix in "bd" else ".tacozip"))
        for p in (out, again):
            if os.path.isdir(p): shutil.rmtree(p)
            elif os.path.exists(p): os.remove(p)
        more = ["--show-padding", "--date", "1700000000"] if command == "export" else []
        run(command, *paths, out, *more)
        run(command, *paths, again, *more)
        if not check(os.path.exists(out), name, command, "nothing was written"):
            continue
        label = f"{name} {command} {suffix}"
        check(same(out, again), label, "not the same bytes twice")
        found = check_tree(label, out)
        check(found == hashes, label, "payload", len(found), len(hashes), sorted(set(found) ^ set(hashes))[:3])
        check_reference(label, out, found, files)
        compare_values(label, paths, out)
        c = check_collection(label, out)
        for k, v in info["collection"].items():
            if k not in ("taco:pit_schema", "taco:field_schema", "taco:sources", "extent", "taco:subset_of", "taco:subset_date"):
                check(c.get(k) == v, label, "collection", k, c.get(k), v)
        if command == "export":
            check(c.get("taco:subset_of") == info["id"] and c.get("taco:subset_date") == "2023-11-14T22:13:20+00:00", label, "subset")
            if name.startswith("tacocat") or len(files) > 1:
                continue
        made.append(out)
    base = os.path.join(A.dir, name.replace("/", "-").replace("'", ""))  # tacoreader takes no apostrophe in a path
    folder = os.path.join(base, "b")
    if os.path.isdir(folder) and not any("__TACOPAD" in k for k in hashes):
        # created anew from its parts: the files, the tables of the levels with paths as ids, and the collection
        src, words = os.path.join(base, "src"), []
        shutil.copytree(os.path.join(folder, "DATA"), src, ignore=shutil.ignore_patterns("__meta__"))
        levels, _ = tables(folder)
        for n, t in enumerate(levels):
            ids = t.column("internal:relative_path").to_pylist() if n else t.column("id").to_pylist()
            keep = [k for k in t.column_names if k not in ("id", "type") and not k.startswith("internal:")]
            pq.write_table(pa.table([pa.array([x.rstrip("/") for x in ids])] + [t.column(k) for k in keep], ["id"] + keep), f"{base}/l{n}.parquet")
            words += ["--samples", f"{base}/l{n}.parquet"]
        c = check_collection(name, folder)
        for k in ("taco:pit_schema", "taco:field_schema"):
            c.pop(k)
        c["providers"] = [{"name": "x", **p} for p in c["providers"]]
        json.dump(c, open(f"{base}/c.json", "w"))
        for suffix in ("e.tacozip", "f"):
            out = os.path.join(base, suffix)
            run("create", src, out, "--collection", f"{base}/c.json", *words)
            if check(os.path.exists(out), name, "create", "nothing was written"):
                found = check_tree(f"{name} create", out)
                check(found == hashes, name, "create: payload")
                check_reference(f"{name} create", out, found, files)
                compare_values(f"{name} create", [folder], out)
    if os.path.isdir(folder) and paths == files and os.path.isfile(paths[0]):
        # columns for a copy of the archive itself, and for a new one
        words, added = [], []
        for n, t in enumerate(tables(folder)[0]):
            ids = [x.rstrip("/") for x in t.column("internal:relative_path" if n else "id").to_pylist()]
            added.append([{"added:n": i * 7, "added:path": p if i % 3 else None} for i, p in enumerate(ids)])
            shuffled = sorted(range(len(ids)), key=lambda i: hashlib.sha1(ids[i].encode()).digest())
            pq.write_table(pa.table({"id": [ids[i] for i in shuffled], **{k: [added[n][i][k] for i in shuffled] for k in added[n][0]}},
                                    pa.schema([("id", pa.string()), ("added:n", pa.int64()), ("added:path", pa.string())])), f"{base}/a{n}.parquet")
            order = sorted(range(len(ids)), key=lambda i: ids[i] if not n else t.column("internal:relative_path")[i].as_py())
            added[n] = [added[n][i] for i in order]
            words += ["--samples", f"{base}/a{n}.parquet"]
        was = open(paths[0], "rb").read()
        for suffix in ("g.tacozip", "h.tacozip"):
            out = os.path.join(base, suffix)
            label = f"{name} add {suffix}"
            if suffix[0] == "g":
                shutil.copy(paths[0], out)
                run("add", out, *words)
                check(open(out, "rb").read(len(was))[157:] == was[157:], label, "bytes that were there")
            else:
                run("add", paths[0], out, *words)
            found = check_tree(label, out)
            check(found == hashes, label, "payload", len(found), len(hashes))
            check_reference(label, out, found, files)
            run("validate", "--deep", out)
            for n, more in enumerate(added):
                want = [{**r, **m} for r, m in zip(ndjson(paths, n), more)]
                got = ndjson([out], n)
                check(got == want, label, "level", n, [(a, b) for a, b in zip(got, want) if a != b][:1])
            adds += 1
    shutil.rmtree(base, ignore_errors=True)


def big():
    """70,000 entries, and a file of 5 GiB with others behind it."""
    col = os.path.join(A.dir, "c.json")
    json.dump({"id": "big", "dataset_version": "1", "description": "b", "licenses": ["CC0-1.0"], "providers": [{"name": "x"}], "tasks": ["other"]}, open(col, "w"))
    src, out = os.path.join(A.dir, "src"), os.path.join(A.dir, "many.tacozip")
    os.makedirs(src)
    for i in range(70000):
        open(f"{src}/s{i:05d}", "wb").write(b"%d" % i)
    run("create", src, out, "--collection", col)
    check_archive("70,000", out)
    ds = tacoreader.load(out)
    check(len(ds.data) == 70000 and vsi(ds.data.read("s69999")) == b"69999", "70,000 rows")
    shutil.rmtree(src); os.remove(out)
    out = os.path.join(A.dir, "large.tacozip")
    os.makedirs(src)
    for n, b in (("a", b"1"), ("c", b"333")):
        open(f"{src}/{n}", "wb").write(b)
    with open(f"{src}/b", "wb") as f:
        f.truncate(5 << 30)
    open(f"{src}/f", "wb").write(b"last")
    run("create", src, out, "--collection", col)
    shutil.rmtree(src)
    check_archive("5 GiB", out)
    ds = tacoreader.load(out)
    check(vsi(ds.data.read("a")) == b"1" and vsi(ds.data.read("c")) == b"333" and vsi(ds.data.read("f")) == b"last", "5 GiB: bytes")
    os.remove(out)


def groups():
    """Parts, groups and groups of neighbours: the archives that tacotoolbox makes of the same samples."""
    import random, struct
    from tacotoolbox.tortilla.extensions.spatial_grouping import SpatialGrouping
    R = random.Random(11)
    base = os.path.join(A.dir, "groups")
    src = os.path.join(base, "src")
    os.makedirs(src)
    regions = ["Ocean/Sea  a", "Land", "_x_", "data:1", "a*b?c", None, "M\u00a0\u3000z"]
    rows = []
    for i in range(40):
        open(f"{src}/s{i:02d}", "wb").write(R.randbytes(R.randint(1, 3000)))
        point = struct.pack("<BIdd", 1, 1, R.uniform(-180, 180), R.uniform(-90, 90))
        rows.append({"id": f"s{i:02d}", "region": R.choice(regions), "n": R.choice([1, 2]), "good": R.choice([True, False]), "stac:centroid": point})
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, f"{base}/l0.parquet")
    fields = dict(id="g", dataset_version="1", description="b", licenses=["CC0-1.0"], providers=[{"name": "x"}], tasks=["other"])
    json.dump(fields, open(f"{base}/c.json", "w"))

    def theirs(out, near=None, **how):
        samples = []
        for r in table.to_pylist():
            s = Sample(id=r["id"], path=f"{src}/{r['id']}", type="FILE")
            s.extend_with(pa.table({k: table.column(k).slice(len(samples), 1) for k in table.column_names[1:]}))
            samples.append(s)
        t = Tortilla(samples=samples)
        if near:
            t.extend_with(SpatialGrouping(**near))
        return [p.name for p in tacotoolbox.create(Taco(tortilla=t, **fields), out, **how)]

    cases = [
        ("parts", {}, {"split_size": "9KB"}, ["--split-size", "9KB"]),
        ("region", {}, {"split_size": None, "group_by": "region"}, ["--group-by", "region"]),
        ("both", {}, {"split_size": "6KB", "group_by": ["region", "n", "good"]}, ["--split-size", "6KB", "--group-by", "region,n,good"]),
        ("near", {"target_count": 6, "target_size": "9KB"}, {"split_size": None, "group_by": "spatialgroup:code"},
         ["--near-count", "6", "--near-size", "9KB", "--group-by", "spatialgroup:code"]),
    ]
    for name, near, how, words in cases:
        a, b = os.path.join(base, name, "a"), os.path.join(base, name, "b")
        os.makedirs(a); os.makedirs(b)
        want = theirs(os.path.join(a, "x.tacozip"), near, **how)
        run("create", src, os.path.join(b, "x.tacozip"), "--collection", f"{base}/c.json", "--samples", f"{base}/l0.parquet", *words)
        got = sorted(n for n in os.listdir(b) if n != ".tacocat")
        check(got == sorted(want), name, "archives", got, sorted(want))
        for n in got:
            check(user(rows_of(tables(os.path.join(a, n))[0][0])) == user(rows_of(tables(os.path.join(b, n))[0][0])), name, n, "rows")
            check_archive(f"{name} {n}", os.path.join(b, n))
        sides = [tacoreader.load(os.path.join(d, ".tacocat")).data.to_arrow() if hasattr(tacoreader.load(os.path.join(d, ".tacocat")).data, "to_arrow") else None for d in (a, b)]
        ids = [sorted(zip(t.column("internal:source_file").to_pylist() if "internal:source_file" in t.column_names else t.column("id").to_pylist(), t.column("id").to_pylist())) for t in sides]
        check(ids[0] == ids[1] and len(ids[0]) == 40, name, ".tacocat", ids[0][:2], ids[1][:2])


if re.search(A.only, "groups"):
    groups()
if not A.no_big:
    big()
if A.only == ".":
    check(adds > 20, "columns were added to", adds, "archives only")
print(f"create.py: {checks} checks, columns added to {adds} archives, {failures} failed, {listed} times the reference reads neither the source nor ours")
sys.exit(failures != 0)
