#!/usr/bin/env python3
"""query.py TACO DIR PYTHON [--reps 7] [--rows 1000000] - the tool against tacoreader, whole processes side by side in one run.

DIR/flat_N.tacozip comes from ../shared/tools/make_big.py, PYTHON is that of the reference environment. For every case
both sides do the same work, write their paths to a file, the files are compared, and then the two run alternately.
CPU is user + system time, memory the peak resident set, both from wait4; ratios are of the medians.
Exit status 1 when answers differ or a target is missed.
"""
import argparse, os, statistics, subprocess, sys, tempfile

REFERENCE = r'''
import sys
import tacoreader
case, path, out = sys.argv[1:4]
ds = tacoreader.load(path)
V = "internal:gdal_vsi"
if case.startswith("where"):
    t = ds.sql('SELECT "l0:%s" FROM l0 WHERE %s' % (V, {
        "where 0.1 %": '"l0:cloud_cover" > 98.6', "where 10 %": "\"l0:split\" = 'val'",
        "where 100 %": '"l0:cloud_cover" >= 0 OR "l0:cloud_cover" IS NULL'}[case]))
    paths = t.column(0)
elif case == "bbox":
    paths = ds.filter_bbox(-10, 35, 5, 45).data[V]
elif case == "time":
    paths = ds.filter_datetime("2021-01-01/2021-06-30").data[V]
else:
    paths = [ds.read(sys.argv[4])]
if len(sys.argv) > 5:      # the answers, written once for the comparison only
    with open(out, "w") as f:
        f.writelines("%s\n" % p for p in paths)
'''
CASES = {  # arguments of the tool, least ratio of CPU
    "where 0.1 %": (["--where", "cloud_cover > 98.6"], 30),
    "where 10 %": (["--where", "split = 'val'"], 30),
    "where 100 %": (["--where", "cloud_cover >= 0 OR cloud_cover IS NULL"], 30),
    "bbox": (["--bbox=-10,35,5,45"], 30),
    "time": (["--time", "2021-01-01/2021-06-30"], 60),
    "read": (None, 150),
}
MEMORY = 20


def run(argv, env=None, out=None):
    for _ in range(3 if env else 1):   # the reference's own threads sometimes abort it while it exits
        with open(out or os.devnull, "wb") as f:
            p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=f, env=env)
            _, status, usage = os.wait4(p.pid, 0)
        if not status:
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    sys.exit("query.py: failed: %s" % " ".join(argv[:8]))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("python")
    ap.add_argument("--reps", type=int, default=7); ap.add_argument("--rows", type=int, default=1000000)
    ap.add_argument("--answers-only", action="store_true", help="compare the answers, judge no ratio")
    a = ap.parse_args()
    path = os.path.realpath("%s/flat_%d.tacozip" % (a.dir, a.rows))
    small = os.path.realpath("examples/data/nested.tacozip")
    env = dict(os.environ, HOME=os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(a.python))), "home"))
    key, bad = "sample_%08d" % (a.rows // 2), 0
    with tempfile.TemporaryDirectory() as tmp:
        script = tmp + "/reference.py"
        open(script, "w").write(REFERENCE)

        def compare(name, ours, theirs):
            nonlocal bad
            run(ours, out=tmp + "/ours")
            run(theirs + ["answers"], env)
            # by other processes: the kernel counts this one's memory as that of the programs it starts
            same = subprocess.run("for f in ours theirs; do LC_ALL=C sort -o $f.sorted $f || exit 1; done; [ -s ours ] && cmp ours.sorted theirs.sorted",
                                  shell=True, cwd=tmp)
            if same.returncode:
                print("FAIL %s: the answers differ" % name)
                bad += 1

        def measure(name, ours, theirs, least, memory):
            nonlocal bad
            compare(name, ours, theirs)
            if a.answers_only:
                return
            mine, ref = [], []
            for _ in range(a.reps):
                ref.append(run(theirs, env))
                mine.append(run(ours))
            cpu = [statistics.median(x[0] for x in s) for s in (mine, ref)]
            rss = [statistics.median(x[1] for x in s) for s in (mine, ref)]
            ratio, saved = cpu[1] / cpu[0], rss[1] / rss[0]
            good = ratio >= least and (not memory or saved >= memory)
            bad += not good
            print("%-4s %-12s %8.1f ms %9.1f ms  %6.0f x (%d)   %6.1f MB %7.1f MB  %5.0f x%s" % (
                "ok" if good else "MISS", name, 1e3 * cpu[0], 1e3 * cpu[1], ratio, least, rss[0], rss[1], saved, " (%d)" % memory if memory else ""))
            sys.stdout.flush()

        print("%d rows, medians of %d\n     case             taco   tacoreader   ratio (least)     taco  tacoreader  ratio" % (a.rows, a.reps))
        for name, (args, least) in CASES.items():
            ours = [a.taco, "read", path, key] if args is None else [a.taco, "query", path, "--format", "vsi"] + args
            measure(name, ours, [a.python, script, name, path, tmp + "/theirs", key], least, MEMORY)
        first = "tile_00"
        ref = [a.python, script, "read first", small, tmp + "/theirs", first]
        open(script, "a").write("")
        if not a.answers_only:
            mine, theirs = [run([a.taco, "read", small, "tile_00/image"]) for _ in range(a.reps)], [run(ref, env) for _ in range(a.reps)]
            cpu = [statistics.median(x[0] for x in s) for s in (mine, theirs)]
            good = cpu[1] / cpu[0] >= 200
            bad += not good
            print("%-4s %-12s %8.1f ms %9.1f ms  %6.0f x (200)" % ("ok" if good else "MISS", "cold, small", 1e3 * cpu[0], 1e3 * cpu[1], cpu[1] / cpu[0]))
    print("all targets reached" if not bad else "%d missed" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
