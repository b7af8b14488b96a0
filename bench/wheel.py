#!/usr/bin/env python3
"""wheel.py PYTHON TARGET ARCHIVE [RUNS] - compares the Python package with tacoreader: the same script on the same rows.

PYTHON is the one of ../shared/tools/reference_env.sh v2, TARGET a directory with taco_h (pip install --target), ARCHIVE a
flat one made by ../shared/tools/make_big.py. Each case is a separate process; prints medians of wall and CPU seconds, peak
memory, and whether the results are the same. Look at the ratios."""
import hashlib, json, os, resource, statistics, subprocess, sys, time

CASES = {
    "open, count": "n = ds.pit_schema.root['n']; answer = [n]",
    "SQL, 0.1 %": "answer = ds.sql('SELECT \"l0:id\" FROM l0 WHERE \"l0:cloud_cover\" > 98.6').column(0).to_pylist()",
    "SQL, groups": "answer = [list(r.values()) for r in ds.sql('SELECT \"l0:split\" AS s, count(*) AS n FROM l0 GROUP BY 1 ORDER BY 1').to_pylist()]",
    "bbox": "answer = ds.filter_bbox(-77.5, -12.5, -60, 10).data['id'].to_pylist()",
    "datetime": "answer = ds.filter_datetime('2021-01-01/2021-06-30').data['internal:gdal_vsi'].to_pylist()",
    "data, all rows": "d = ds.data; answer = [d.shape, d['id'][0].as_py(), d['id'][len(d) - 1].as_py()]",
    "read": "answer = [ds.read(7)]",
}


def child(name, archive, case):
    module = __import__(name)
    began = time.perf_counter()
    scope = {"ds": module.load(archive), "NAME": name}
    exec(CASES[case], scope)
    answer = sorted(map(str, scope["answer"])) if case in ("bbox", "datetime", "SQL, 0.1 %") else scope["answer"]
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, hashlib.sha256(repr(answer).encode()).hexdigest(), len(answer)]))


def measure(python, target, archive, name, case, runs):
    env = {**os.environ, "PYTHONPATH": target, "HOME": os.path.join(os.path.dirname(os.path.dirname(python)), "home")}
    got = [json.loads(subprocess.check_output([python, __file__, "--child", name, archive, case], env=env).decode().strip().split("\n")[-1]) for _ in range(runs)]
    return [statistics.median(g[k] for g in got) for k in range(3)] + got[0][3:]


if sys.argv[1] == "--child":
    child(*sys.argv[2:])
    sys.exit(0)
python, target, archive = sys.argv[1:4]
runs, different = int(sys.argv[4]) if len(sys.argv) > 4 else 3, 0
print("| case | taco_h | tacoreader | time | processor | memory | answers |\n| --- | --- | --- | --- | --- | --- | --- |")
for case in CASES:
    ours, theirs = (measure(python, target, archive, name, case, runs) for name in ("taco_h", "tacoreader"))
    same = ours[3] == theirs[3]
    different += not same
    cells = ["%.0f ms, %.2f s of CPU, %.0f MB" % (m[0] * 1e3, m[1], m[2]) for m in (ours, theirs)]
    print("| %s | %s | %s | %.0f x | %.0f x | %.1f x | %s |" % (case, *cells, *(theirs[k] / ours[k] for k in range(3)), "%d, the same" % ours[4] if same else "DIFFERENT"), flush=True)
sys.exit(1 if different else 0)
