"""Catalogues at scale: catalogue.py PROGRAM DIR [SMALL LARGE] - as many archives, 100 and 10,000 by default, with real metadata
and payloads that are holes: checked and merged, opened, filtered, navigated, exported from. Prints for each phase archives,
rows, processor seconds, peak memory, files opened and bytes read, and the slope from SMALL to LARGE: the power of the number of
archives that the time grows with."""
import math, os, shutil, subprocess, sys

PROGRAM, DIR = sys.argv[1:3]
SMALL, LARGE = (int(x) for x in sys.argv[3:5]) if len(sys.argv) > 4 else (100, 10000)
PHASES = ("make", "tacocat", "open", "filter", "navigate", "export")


def phase(name, home, count):
    """(rows, files, bytes, processor seconds, peak MB); the least time of up to three runs of a short phase."""
    least = None
    for _ in range(3):
        p = subprocess.Popen([PROGRAM, name, home, str(count)], stdout=subprocess.PIPE, text=True)
        out = p.stdout.read()
        status, used = os.wait4(p.pid, 0)[1:]
        p.returncode = status
        assert status == 0, name
        rows, files, read, memory = (int(x) for x in out.split())
        result = (rows, files, read, used.ru_utime + used.ru_stime, memory / 1024)
        least = result if least is None or result[3] < least[3] else least
        if name in ("make", "tacocat"):
            break
    return least


failed = []


def check(ok, what):
    if not ok:
        failed.append(what)
        print("FAIL", what)


found = {}
print("%-9s %9s %9s %9s %9s %8s %12s" % ("phase", "archives", "rows", "seconds", "peak MB", "files", "bytes read"))
for count in SMALL, LARGE:
    home = os.path.join(DIR, "catalogue_%d" % count)
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    for name in PHASES:
        found[name, count] = rows, files, read, seconds, peak = phase(name, home, count)
        print("%-9s %9d %9d %9.3f %9.1f %8d %12d" % (name, count, rows, seconds, peak, files, read), flush=True)
    check(found["open", count][0] == 10 * count, "rows of the catalogue")
    check(found["open", count][1] == 1 and found["filter", count][1] == 1, "opening and filtering touch no archive")
    check(found["navigate", count][0] == 3 * -(-count // 100), "children")
    check(found["export", count][0] == sum((i * 7919 % 1000) / 10 < 0.1 for i in range(10 * count)), "exported samples")
    check(found["filter", count][0] == sum((i * 7919 % 1000) / 10 < 20 and 100 <= i // 10 % 1000 <= 500 and 1 <= i % 10 <= 5 for i in range(10 * count)), "filtered rows: %d" % found["filter", count][0])
    shutil.rmtree(home)
print("%-9s %9s %20s" % ("phase", "slope", "memory, MB more"))
for name in PHASES[1:]:
    small, large = found[name, SMALL], found[name, LARGE]
    slope = math.log(max(large[3], 1e-3) / max(small[3], 1e-3)) / math.log(LARGE / SMALL)
    print("%-9s %9.2f %20.1f" % (name, slope, large[4] - small[4]))
    check(slope <= 1.1, "%s: a slope of %.2f" % (name, slope))
    check(large[4] - small[4] <= 64 * max(1, LARGE / 10000), "%s: %.1f MB more memory" % (name, large[4] - small[4]))
print("catalogue: %d archives, %d rows, %d failed" % (LARGE, 10 * LARGE, len(failed)))
sys.exit(1 if failed else 0)
