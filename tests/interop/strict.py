#!/usr/bin/env python3
"""strict.py TACO SHARED DIR [--every N] [--mutants N] - damaged files of strangers, with --strict-limits.

Every damaged file of SHARED (corpora/bad, fixtures/bad, legacy/rasteret-bad) and mutants of its good files that SHARED's
mutate.py makes go through every command that could read them, and so do small files that ask for much work, those of
corpora/amplify and of amplify.py. Each command ends by itself, with status 0 or 1 and a message
with the latter, within 2 s of processor time and 256 MB of memory. --every N takes each Nth of the files; a build with sanitizers
(--sanitized) takes more of both and is not measured. Exit status 1 when a command breaks this; the largest figures are printed."""
import amplify, argparse, glob, os, random, shutil, subprocess, sys, threading, queue, json

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("taco")
ap.add_argument("shared")
ap.add_argument("dir")
ap.add_argument("--every", type=int, default=1)
ap.add_argument("--first", type=int, default=0)
ap.add_argument("--mutants", type=int, default=2000, help="of Parquet files, and a quarter as many of archives")
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--jobs", type=int, default=2)
ap.add_argument("--sanitized", action="store_true")
a = ap.parse_args()
SECONDS, BYTES = (40, 1 << 40) if a.sanitized else (2.0, 256 << 20)
TACO, SHARED, DIR = map(os.path.abspath, (a.taco, a.shared, a.dir))
shutil.rmtree(DIR, ignore_errors=True)
os.makedirs(DIR)

PARQUET = [["parquet", "cat", "F"], ["parquet", "cat", "F", "--format", "arrow"], ["parquet", "schema", "F"], ["parquet", "meta", "F"],
           ["parquet", "verify", "F"], ["parquet", "copy", "F", "O.parquet"], ["rasteret", "validate", "F"], ["validate", "F", "--deep"],
           ["parquet", "cat", "F", "--where", "a > 'c'"], ["parquet", "cat", "F", "--where", "a > 5"], ["parquet", "cat", "F", "--where", "a LIKE '%b%c'"],
           ["query", "F", "--format", "csv"], ["tortilla", "create", "F", "O.tortilla"], ["add", "GOOD", "O.tacozip", "--samples", "F"]]
DATASET = [["info", "F"], ["query", "F", "--format", "ndjson"], ["query", "F", "--where", "id LIKE '%a%_%'"],
           ["query", "F", "--sql", "SELECT count(*), min(id) FROM data GROUP BY type ORDER BY 1"], ["query", "F", "--bbox", "0,0,10,10"],
           ["query", "F", "--sql", "SELECT count(*) FROM data WHERE length(id) = 3 OR lower(type) LIKE '%x%e'"],
           ["query", "F", "--sql", "SELECT DISTINCT id FROM data ORDER BY id DESC LIMIT 3"],
           ["read", "F", "@0"], ["get", "F", "@0"], ["stats", "F"], ["validate", "F", "--deep", "--json"], ["repair", "F", "O.tacozip"],
           ["export", "F", "O.tacozip"], ["zip2folder", "F", "O"], ["folder2zip", "F", "O.tacozip"], ["tacocat", "O.tacocat", "F"],
           ["tacollection", "O.json", "F"], ["collection", "F", "--to", "stac"], ["collection", "F", "--to", "croissant"],
           ["convert", "F", "O.tortilla"], ["rasteret", "from-taco", "F", "O"]]
OLD = [["info", "F"], ["query", "F", "--format", "ndjson"], ["validate", "F", "--deep"], ["convert", "F", "O.tacozip", "--collection", "COLLECTION"], ["read", "F", "@0"],
       ["rasteret", "validate", "F"], ["rasteret", "to-taco", "F", "O.tacozip", "--collection", "COLLECTION"], ["stats", "F"]]
JSON = [["info", "FOLDER"], ["validate", "FOLDER"], ["collection", "FOLDER", "--to", "stac"], ["collection", "FOLDER", "--to", "datacite", "--year", "2026"],
        ["create", "EMPTY", "O.tacozip", "--collection", "F"], ["tacollection", "O.json", "FOLDER"]]


def manifest(root, kind, out):
    for e in json.load(open(os.path.join(root, "manifest.json"))):
        if e["path"].startswith(kind + "/"):
            out.append(os.path.join(root, e["path"]))


def files():
    """(file, commands) of all; folders are files, too."""
    bad = SHARED + "/corpora/bad"
    tables, archives, texts, old = [], [], [], []
    manifest(bad, "parquet", tables)
    manifest(bad, "zip", archives)
    manifest(bad, "json", texts)
    manifest(bad, "parquet-encoding", tables)
    tables += glob.glob(SHARED + "/legacy/rasteret-bad/*.parquet")
    archives += sorted(glob.glob(SHARED + "/fixtures/bad/*"))
    old += glob.glob(SHARED + "/legacy/rasteret-bad/*.parquet")
    for name, source, n, out in (("parquet", "/corpora/parquet/files", a.mutants, tables), ("zip", "/fixtures/good", a.mutants // 4, archives),
                                 ("old", "/legacy", a.mutants // 8, old)):
        made = "%s/mutants-%s" % (DIR, name)
        subprocess.run([sys.executable, SHARED + "/tools/mutate.py", SHARED + source, made, str(a.seed), str(n)], check=True,
                       stdout=subprocess.DEVNULL)
        out += sorted(f for f in glob.glob(made + "/**", recursive=True) if os.path.isfile(f) and not f.endswith("manifest.json"))
    amplified = glob.glob(SHARED + "/corpora/amplify/*.parquet"), glob.glob(SHARED + "/corpora/amplify/*zip")
    amplified = [sorted(x) + y for x, y in zip(amplified, amplify.make(DIR + "/amplified"))]
    tables += amplified[0]
    return [(f, k) for fs, k in ((tables, PARQUET), (archives, DATASET), (amplified[1], DATASET), (texts, JSON), (old, OLD)) for f in fs]


def run(place, argv):
    """(status, message, seconds, bytes), the child's own. Its output is thrown away."""
    with open(place + "/err", "w+b") as err:
        p = subprocess.Popen([TACO] + argv + ["--strict-limits", "--quiet"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        timer = threading.Timer(20 * SECONDS, p.kill)  # of the clock, on a machine with much to do
        timer.start()
        _, status, use = os.wait4(p.pid, 0)
        timer.cancel()
        p.returncode = status
        err.seek(0)
        text = err.read(2000).decode("utf-8", "replace")
    return os.waitstatus_to_exitcode(status), text, use.ru_utime + use.ru_stime, use.ru_maxrss << 10


work, lock = queue.Queue(), threading.Lock()
count, broken, slowest, largest = 0, 0, (0, ""), (0, "")


def judge(command, status, text, seconds, memory):
    if status not in (0, 1):
        return "status %d" % status
    if "ERROR: AddressSanitizer" in text or "runtime error" in text:
        return "a sanitizer speaks"
    if status == 1 and not text.strip() and command not in ("validate", "parquet", "rasteret"):  # those say it on standard output
        return "no message"
    if seconds > SECONDS:
        return "%.1f s" % seconds
    return "%.0f MB" % (memory / 1e6) if memory > BYTES else None


def worker(place):
    global count, broken, slowest, largest
    os.makedirs(place + "/empty", exist_ok=True)
    while True:
        try:
            f, command = work.get_nowait()
        except queue.Empty:
            return
        folder = place + "/folder"
        if "FOLDER" in command:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(FOLDER, folder)
            shutil.copyfile(f, folder + "/COLLECTION.json")
        argv = [{"F": f, "GOOD": GOOD, "FOLDER": folder, "EMPTY": place + "/empty", "COLLECTION": COLLECTION}.get(w, w) for w in command]
        argv = [place + "/out" + w[1:] if w in ("O", "O.tacozip", "O.json", "O.parquet", "O.tortilla", "O.tacocat") else w for w in argv]
        status, text, seconds, memory = run(place, argv)
        wrong = judge(argv[0], status, text, seconds, memory)
        with lock:
            count += 1
            slowest = max(slowest, (seconds, " ".join(argv)))
            largest = max(largest, (memory, " ".join(argv)))
            if wrong:
                broken += 1
                print("%s: taco %s\n    %s" % (wrong, " ".join(argv), text.strip()[:300]), flush=True)
        for out in glob.glob(place + "/out*"):
            shutil.rmtree(out) if os.path.isdir(out) and not os.path.islink(out) else os.remove(out)


def good(pattern, folder):
    for f in sorted(glob.glob(SHARED + "/fixtures/good/" + pattern, recursive=True)):
        if (os.path.isfile(f + "/COLLECTION.json") if folder else os.path.isfile(f)):
            return f
    sys.exit("no good dataset %s in %s" % (pattern, SHARED))


GOOD = good("flat/**/*.tacozip", False)
FOLDER = good("flat_folder/**", True)
COLLECTION = FOLDER + "/COLLECTION.json"
all_files = files()
for i, (f, commands) in enumerate(all_files):
    if i % a.every == a.first:
        for c in commands:
            work.put((f, c))
total = work.qsize()
threads = [threading.Thread(target=worker, args=("%s/job%d" % (DIR, i),)) for i in range(a.jobs)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print("slowest %.2f s: taco %s" % slowest)
print("largest %.0f MB: taco %s" % (largest[0] / 1e6, largest[1]))
print("%d of %d files, %d commands, %d broke the limits" % (len(range(a.first, len(all_files), a.every)), len(all_files), count, broken))
sys.exit(broken > 0 or count < total or count == 0)
