#!/usr/bin/env python3
"""Collections that we write, loaded by real rasteret of both schema lines, with equal content.

rasteret.py TACO SHARED PY03 PY04: the tool, the folder with legacy/, pythons with rasteret 0.3.4 and 0.4.1
(shared/tools/reference_env.sh rasteret-0.3 | rasteret-0.4). Exit status 0 when all agrees."""
import datetime
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

WORKER = r'''
import json, sys, datetime, math, logging
logging.disable(logging.CRITICAL)
import rasteret
def plain(v):
    if isinstance(v, bytes): return v.hex()
    if isinstance(v, (datetime.datetime, datetime.date)): return v.isoformat()
    if isinstance(v, float): return "NaN" if math.isnan(v) else v
    if isinstance(v, (list, tuple)): return [plain(x) for x in v]
    if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
    return v
def show(c):
    t = c.dataset.to_table()
    rows = [plain(r) for r in t.to_pylist()]
    rows.sort(key=lambda r: str(r["id"]))
    return {"rows": rows, "bands": sorted(c.bands), "bounds": plain(c.bounds), "epsg": c.epsg, "name": c.name,
            "data_source": c.data_source, "description": c.description, "start": plain(c.start_date),
            "types": {f.name: str(f.type) for f in t.schema if "list" not in str(f.type)}}
def subset(c, kw):
    try: return sorted(c.subset(**kw).dataset.to_table(columns=["id"]).column("id").to_pylist())
    except Exception as e: return type(e).__name__ + ": " + str(e)
out = []
for path, filters in json.load(sys.stdin):
    c = rasteret.load(path)
    out.append({"show": show(c), "subsets": [subset(c, f) for f in filters]})
print("\n@@" + json.dumps(out))
'''
PIXELS = r'''
import sys, logging
logging.disable(logging.CRITICAL)
import numpy, rasteret
a, b = rasteret.load(sys.argv[1]), rasteret.load(sys.argv[2])
box = tuple(a.bounds)
x, y = a.get_numpy(geometries=box, bands=["B01"]), b.get_numpy(geometries=box, bands=["data"])
print("equal" if x.size and numpy.array_equal(numpy.sort(x.ravel()), numpy.sort(y.ravel())) else "differ")
'''
FILTERS = [{"bbox": [-0.3, 39.2, -0.29, 39.21]}, {"bbox": [-180, -90, 180, 90]}, {"bbox": [10, 10, 11, 11]},
           {"date_range": ["2019-12-31", "2020-01-15"]}, {"split": "train"}, {"cloud_cover_lt": 12.5}]
BOXES = ("scene_bbox", "bbox", "bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy", "crs")
failed = 0


def ask(py, jobs, cwd):
    p = subprocess.run([py, "-c", WORKER], input=json.dumps(jobs), capture_output=True, text=True, cwd=cwd)
    if "\n@@" not in p.stdout:
        raise SystemExit("%s: %s" % (py, p.stderr[-2000:]))
    return json.loads(p.stdout.split("\n@@")[1])


def differ(a, b, path="$"):
    """the first place where two answers differ; numbers by value, columns that only one schema line has left out"""
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted(set(a) | set(b)):
            if k in a and k in b:
                d = differ(a[k], b[k], path + "." + k)
                if d:
                    return d
            elif k not in BOXES:
                return "%s.%s is in one alone" % (path, k)
        return None
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return "%s: %d and %d items" % (path, len(a), len(b))
        return next((d for i in range(len(a)) for d in [differ(a[i], b[i], "%s[%d]" % (path, i))] if d), None)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return None if a == b else "%s: %r and %r" % (path, a, b)
    return None if a == b else "%s: %r and %r" % (path, a, b)


def check(what, d):
    global failed
    failed += bool(d)
    print("%s %s%s" % ("FAIL" if d else "ok  ", what, ": " + d if d else ""))


def main():
    taco, shared, py03, py04 = [os.path.abspath(a) for a in sys.argv[1:5]]
    legacy = os.path.join(shared, "legacy")
    work = tempfile.mkdtemp(prefix="rasteret-")

    def run(*args):
        p = subprocess.run([taco, "rasteret"] + list(args), capture_output=True, text=True, cwd=legacy)
        if p.returncode:
            raise SystemExit("taco rasteret %s: %s" % (" ".join(args), p.stderr))
    def valid(path):                                     # no rule refuses what Rasteret or we made
        p = subprocess.run([taco, "validate", path], capture_output=True, text=True, cwd=legacy)
        if p.returncode:
            raise SystemExit("taco validate %s: %s" % (path, p.stdout + p.stderr))
    sources = []
    for folder, own in (("rasteret-r034", py03), ("rasteret-r041", py04), ("rasteret-dual", py04)):
        for name in sorted(os.listdir(os.path.join(legacy, folder))):
            path = os.path.join(legacy, folder, name)
            if os.path.isdir(path) or name.endswith(".parquet"):
                sources.append((folder, name, path, own))
                valid(path)
    jobs, tests = {py03: [], py04: []}, []               # one process of each line answers all

    def later(py, path, filters):
        jobs[py].append((path, filters))
        return py, len(jobs[py]) - 1

    def compare(what, want, path, filters=FILTERS, part=lambda x: x):
        for line, py in (("0.3.4", py03), ("0.4.1", py04)):
            tests.append(("%s, loaded by %s" % (what, line), want, later(py, path, filters), part))
    for folder, name, path, own in sources:
        want = later(own, path, FILTERS)
        for verb, options in (("build", []), ("build", ["--single"]), ("enrich", []), ("enrich", ["--single"]),
                              ("build", ["--partition-by", "none"]), ("build", ["--partition-by", "year"])):
            if verb == "enrich" and name in ("plain_records", "dated_stac"):
                continue                       # nothing recorded to compare with
            to = os.path.join(work, "%s-%s-%s" % (folder, name, "-".join([verb] + options)))
            to += ".parquet" if "--single" in options else ""
            run(verb, path, to, *options)
            run("validate", to)
            valid(to)
            compare(" ".join([verb, folder + "/" + name] + options), want, to)
            if verb == "build" and not options:          # again, from what was made
                run("build", to, to + "-again")
                compare("build of a built %s/%s" % (folder, name), want, to + "-again")
    # without anything derived, by aliases and band maps
    demo = later(py04, os.path.join(legacy, "rasteret-r041", "demo_records"), [])
    to = os.path.join(work, "enriched")
    run("enrich", os.path.join(legacy, "rasteret-r041", "plain_records"), to)
    compare("headers of plain_records", demo, to, [], lambda x: x["show"]["rows"])
    # files of one collection with other columns, types and bands than the first
    mixed = os.path.join(work, "mixed_records")
    for k, name in enumerate(("demo_records", "flavours_records")):
        to = os.path.join(work, "part-%d" % k)
        run("build", os.path.join(legacy, "rasteret-r041", name), to)
        for base, _, files in os.walk(to):
            for f in files:
                at = os.path.join(mixed, os.path.relpath(base, to))
                os.makedirs(at, exist_ok=True)
                shutil.copy(os.path.join(base, f), os.path.join(at, "part-%d.parquet" % k))
    run("build", mixed, os.path.join(work, "mixed_built"))
    ids = later(py04, os.path.join(legacy, "rasteret-r041", "demo_records"), [])
    more = later(py04, os.path.join(legacy, "rasteret-r041", "flavours_records"), [])
    both = later(py04, os.path.join(work, "mixed_built"), [])
    answers = {py: dict(enumerate(ask(py, jobs[py], legacy))) for py in (py03, py04)}
    for what, want, got, part in tests:
        check(what, differ(part(answers[want[0]][want[1]]), part(answers[got[0]][got[1]])))
    ids, more, both = [[(r["id"], r["assets"]) for r in answers[x[0]][x[1]]["show"]["rows"]] for x in (ids, more, both)]
    bare = lambda x: {k: v for k, v in x.items() if v is not None} if isinstance(x, dict) else x
    got = sorted((i, json.dumps(bare(x), sort_keys=True)) for i, x in both)
    check("two collections in one directory, built into one",
          "" if got == sorted((i, json.dumps(bare(x), sort_keys=True)) for i, x in ids + more) else "other assets")
    # a TACO archive in between: real rasteret reads its pixels through the tile offsets of from-taco
    document = os.path.join(work, "c.json")
    with open(document, "w") as f:
        json.dump({"id": "x", "dataset_version": "1", "description": "d", "licenses": ["CC0-1.0"],
                   "providers": [{"name": "p", "roles": ["host"]}], "tasks": ["other"]}, f)
    records = os.path.join(legacy, "rasteret-r041", "demo_records")
    run("to-taco", records, os.path.join(work, "x.tacozip"), "--collection", document)
    run("from-taco", os.path.join(work, "x.tacozip"), os.path.join(work, "x_records"))
    p = subprocess.run([py04, "-c", PIXELS, records, os.path.join(work, "x_records")], capture_output=True, text=True,
                       cwd=legacy)
    check("pixels inside of a .tacozip, read by 0.4.1", "" if p.stdout.strip().endswith("equal") else p.stderr[-500:] or "differ")
    print("%d failed; files in %s" % (failed, work) if failed else "0 failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
