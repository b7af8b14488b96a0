#!/usr/bin/env python3
"""Collections that we write, loaded by real rasteret of both schema lines, with equal content.

rasteret.py TACO SHARED PY03 PY04: the tool, the folder with legacy/, pythons with rasteret 0.3.4 and 0.4.1
(shared/tools/reference_env.sh rasteret-0.3 | rasteret-0.4). Exit status 0 when all agrees."""
import datetime
import json
import math
import os
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
    sources = []
    for folder, own in (("rasteret-r034", py03), ("rasteret-r041", py04), ("rasteret-dual", py04)):
        for name in sorted(os.listdir(os.path.join(legacy, folder))):
            path = os.path.join(legacy, folder, name)
            if os.path.isdir(path) or name.endswith(".parquet"):
                sources.append((folder, name, path, own))
    for folder, name, path, own in sources:
        want = ask(own, [(path, FILTERS)], legacy)[0]
        for verb in ("build", "enrich"):
            if verb == "enrich" and not want["show"]["bands"]:
                continue                       # nothing recorded to compare with
            for single in (False, True):
                if single and verb == "enrich":
                    continue
                to = os.path.join(work, "%s-%s-%s%s" % (folder, name, verb, ".parquet" if single else ""))
                run(verb, path, to, *(["--single"] if single else []))
                for line, py in (("0.3.4", py03), ("0.4.1", py04)):
                    got = ask(py, [(to, FILTERS)], legacy)[0]
                    check("%s %s/%s%s, loaded by %s" % (verb, folder, name, " into one file" if single else "", line),
                          differ(want, got))
    plain = os.path.join(legacy, "rasteret-r041", "plain_records")
    demo = ask(py04, [(os.path.join(legacy, "rasteret-r041", "demo_records"), [])], legacy)[0]["show"]
    to = os.path.join(work, "enriched")
    run("enrich", plain, to)
    for line, py in (("0.3.4", py03), ("0.4.1", py04)):
        got = ask(py, [(to, [])], legacy)[0]["show"]
        check("headers of plain_records, loaded by %s" % line, differ(demo["rows"], got["rows"]))
    print("%d failed; files in %s" % (failed, work) if failed else "0 failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
