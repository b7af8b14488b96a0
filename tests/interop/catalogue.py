#!/usr/bin/env python3
"""catalogue.py TACO SHARED DIR [--old PYTHON] - catalogues that taco writes, opened by the reference.

Run with the Python of ../shared/tools/reference_env.sh v2 (HOME as it says). Parts that the reference wrote are merged by
`taco tacocat --binary`; today's tacoreader opens the .tacocat directory, and the last one that read __TACOCAT__ (--old, the
Python of environment v2-tacocat) the single file. Both must give the rows of the levels and, by the paths they give, the
payloads of the parts; `taco validate --deep` must accept both and every good fixture; `taco repair` must make a dataset
valid without touching a payload; `taco tacollection` must agree with the reference's merged collection."""
import argparse, datetime, hashlib, json, os, re, shutil, subprocess, sys, zipfile

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("shared"); ap.add_argument("dir")
ap.add_argument("--old", default="")
A = ap.parse_args()
A.taco, A.shared, A.dir = map(os.path.abspath, (A.taco, A.shared, A.dir))
GOOD = os.path.join(A.shared, "fixtures", "good")
checks = failures = 0


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *what)


def taco(*args):
    return subprocess.run([A.taco, *args], capture_output=True, text=True)


def payload(vsi):
    """The SHA-256 of what /vsisubfile/OFFSET_SIZE,PATH names."""
    offset, size, path = re.match(r"/vsisubfile/(\d+)_(\d+),(.*)", vsi, re.S).groups()
    with open(path, "rb") as f:
        f.seek(int(offset))
        data = f.read(int(size))
    return hashlib.sha256(data).hexdigest()


def archive(path):
    """The SHA-256 of every FILE of an archive, by its path below DATA/."""
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None, path
        return {n[5:]: hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()
                if n.startswith("DATA/") and not n.endswith("/__meta__")}


WALK = """
import json, sys, tacoreader
ds = tacoreader.load(sys.argv[1])
def walk(frame, path):
    if not hasattr(frame._data, "num_rows"):  # that reader wants an Arrow table, and with newer polars gets none
        frame._data = frame._data.to_arrow()
    out = []
    for i, id in enumerate(frame._data["id"].to_pylist()):
        child = frame.read(i)
        if isinstance(child, str):
            out.append(["/".join(path + [id]), child])
        else:
            out += walk(child, path + [id])
    return out
print(json.dumps({"id": ds.id, "files": walk(ds.data, [])}), flush=True)
import os; os._exit(0)  # the threads of some polars abort at the end
"""


def opened(python, path, home=None):
    p = subprocess.run([python, "-c", WALK, path], capture_output=True, text=True,
                       env=dict(os.environ, **({"HOME": home} if home else {})))
    if p.returncode:
        return None, p.stderr.strip().split("\n")[-1]
    return json.loads(p.stdout.strip().split("\n")[-1]), ""


def extents(doc):
    """The extents of a merged collection, of the whole and of each source, which are taken out of it."""
    found = [doc.pop("extent")]
    for source in doc["taco:sources"].get("extents", []):
        found.append({k: source.pop(k, None) for k in ("spatial", "temporal")})
        source.pop("taco:bounds", None)
    return found


def covers(own, their):
    box, times = their.get("spatial"), their.get("temporal")
    at = lambda t: datetime.datetime.fromisoformat(t.replace("Z", "+00:00"))
    return (not box or all(own["spatial"][i] <= box[i] for i in (0, 1)) and all(own["spatial"][i] >= box[i] for i in (2, 3))) and \
        (not times or at(own["temporal"][0]) <= at(times[0]) and at(own["temporal"][1]) >= at(times[1]))


def catalogues(name, old_parts):
    source, here = os.path.join(GOOD, name), os.path.join(A.dir, name)
    shutil.rmtree(here, ignore_errors=True)
    os.makedirs(here)
    parts = sorted(n for n in os.listdir(source) if n.endswith(".tacozip"))
    want = []
    for n in parts:
        shutil.copy(os.path.join(source, n), here)
        want += [(p, h) for p, h in archive(os.path.join(here, n)).items()]
    paths = [os.path.join(here, n) for n in parts]
    p = taco("tacocat", here, *paths, "--binary")
    check(p.returncode == 0, name, p.stderr)
    check(taco("tacocat", here, *paths).returncode == 1, name, "overwrites")
    binary = os.path.join(here, "__TACOCAT__")
    for ds in (here, binary, os.path.join(here, ".tacocat")):
        p = taco("validate", ds, "--deep", "--json")
        check(p.returncode == 0 and json.loads(p.stdout)["errors"] == 0, ds, p.stderr)
    readers = [(sys.executable, here, None)]
    if A.old and old_parts:
        readers.append((A.old, binary, os.path.join(os.path.dirname(os.path.dirname(A.old)), "home")))
    for python, ds, home in readers:
        got, why = opened(python, ds, home)
        check(got is not None, python, ds, why)
        if got:
            files = [(p, payload(v)) for p, v in got["files"]]
            check(sorted(files) == sorted(want), ds, "files differ", len(files), len(want))
    # the collection of the reference's own catalogue
    theirs = os.path.join(source, ".tacocat", "COLLECTION.json")
    if os.path.exists(theirs):
        mine, other = (json.load(open(f)) for f in (os.path.join(here, ".tacocat", "COLLECTION.json"), theirs))
        for doc in (mine, other):  # the reference leaves shape as it is in the first part
            doc["taco:pit_schema"].pop("shape", None)
            doc["taco:sources"] = {k: sorted(v, key=str) if isinstance(v, list) else v
                                   for k, v in doc["taco:sources"].items()}
        # the reference makes them of centroids and of one time
        for own, their in zip(extents(mine), extents(other)):
            check(name == "grouped" or covers(own, their), name, own, their)  # its parts are in another order there
        check(mine == other and list(mine) == list(other), name, "collection")
        p = taco("tacollection", here, *paths)
        check(p.returncode == 0, name, p.stderr)
        merged = json.load(open(os.path.join(here, "TACOLLECTION.json")))
        check(merged == json.load(open(os.path.join(here, ".tacocat", "COLLECTION.json"))), name, "tacollection")


def good():
    """Every case of validation in the fixtures, and repairs of what is refused for its offsets."""
    cases = os.path.join(A.shared, "fixtures", "cases")
    for f in sorted(os.listdir(cases)):
        doc = json.load(open(os.path.join(cases, f)))
        for c in doc["cases"] if isinstance(doc, dict) else doc:
            if c.get("group") != "write" or c["args"][0] != "validate":
                continue
            ds = c["args"][1].replace("{ROOT}", os.path.join(A.shared, "fixtures"))
            p = taco("validate", ds, "--deep")
            if "or_refuse" in c and p.returncode and re.search(c["or_refuse"], p.stderr):
                continue
            check((p.returncode == 0) == ("valid" in c), f, p.stdout[-300:], p.stderr)
            if os.path.isdir(ds) and (os.path.exists(os.path.join(ds, ".tacocat")) or ds.endswith(".tacocat")) or ds.endswith("__TACOCAT__"):
                continue
            out = os.path.join(A.dir, "repaired" + ("" if os.path.isdir(ds) else ".tacozip"))
            shutil.rmtree(out, ignore_errors=True)
            if os.path.exists(out):
                os.remove(out)
            p = taco("repair", ds, out)
            check(p.returncode == 0, "repair", f, p.stderr)
            if p.returncode == 0 and not os.path.isdir(ds):
                check(archive(ds) == archive(out), "repair", f, "payloads differ")
            if p.returncode == 0 and re.search("refbug_unsorted|deep5|ragged|/names/", ds):
                a, b = opened(sys.executable, ds)[0], opened(sys.executable, out)[0]
                if a is not None:
                    check(b is not None and [(p, payload(v)) for p, v in a["files"]] ==
                          [(p, payload(v)) for p, v in b["files"]], "repair", f, "reads otherwise")


def main():
    os.makedirs(A.dir, exist_ok=True)
    for name, old in (("multi", True), ("geo_nested_multi", True), ("grouped", True), ("tacocat_binary_old", True)):
        catalogues(name, old)
    good()
    print("%d checks, %d failed" % (checks, failures) + ("" if A.old else "; __TACOCAT__ not opened by the reference: no --old"))
    return failures != 0


sys.exit(main())
