#!/usr/bin/env python3
"""races.py TACO DIR [--count N] [--pairs P] [--seed S] - two writers at work on one output at the same time.

Every command that writes a file, a FOLDER or a catalogue runs against itself and against every other command that can
write that output, N times each (200 by default), the second after a random part of the time the first takes; in a third
of the races one of the two is killed. Under the final name there is then the whole output of one that said it was done,
byte for byte what an undisturbed run makes; a command that fails says why in one line; nothing else is there but the
temporary names of those that were killed. Columns added to one archive in place: every success is in it, and the archive
is valid. An archive that is replaced while columns are added to it is one or the other. Then names that somebody planted:
links under the temporary name of older versions, a link as the output, a link inside. --pairs takes a random sample of
that many pairs."""
import argparse, filecmp, json, os, random, re, shutil, signal, subprocess, sys, time

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("--count", type=int, default=200)
ap.add_argument("--pairs", type=int, default=0); ap.add_argument("--seed", type=int, default=1)
A = ap.parse_args()
rnd = random.Random(A.seed)
TACO, D = os.path.abspath(A.taco), os.path.abspath(A.dir)
shutil.rmtree(D, ignore_errors=True); os.makedirs(f"{D}/src")
failed = races = 0


def fail(*what):
    global failed
    failed += 1
    print("FAIL", *what)


def run(*args):
    return subprocess.run([TACO, *args], capture_output=True, text=True, errors="replace")


def must(*args):
    p = run(*args)
    assert p.returncode == 0, (args, p.stderr)


def start(args):
    return subprocess.Popen([TACO, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def same(a, b):
    if os.path.isfile(a) or os.path.isfile(b):
        return os.path.isfile(a) and os.path.isfile(b) and filecmp.cmp(a, b, shallow=False)
    d = filecmp.dircmp(a, b)
    return not d.left_only and not d.right_only and not filecmp.cmpfiles(a, b, d.common_files, shallow=False)[1] and \
        all(same(f"{a}/{n}", f"{b}/{n}") for n in d.common_dirs)


def lines(said):
    return len([x for x in said.splitlines() if not x.startswith(("note: ", "warning: "))])


def drop(p):
    if os.path.isdir(p) and not os.path.islink(p): shutil.rmtree(p)
    elif os.path.lexists(p): os.remove(p)


# ---- what there is to write: a dataset of 40 samples with large payloads, and another one
for name, size in (("src", 20000), ("src2", 15000)):
    for i in range(40):
        os.makedirs(f"{D}/{name}/t{i}")
        for k in range(3):
            open(f"{D}/{name}/t{i}/f{k}", "wb").write(rnd.randbytes(size if k else 100))
json.dump({"id": "k", "dataset_version": "1", "description": "k", "licenses": ["CC0-1.0"], "providers": [{"name": "x"}], "tasks": ["other"]}, open(f"{D}/c.json", "w"))
COLL = ["--collection", f"{D}/c.json"]
must("create", f"{D}/src", f"{D}/g.tacozip", *COLL)
must("create", f"{D}/src", f"{D}/g", *COLL)
os.makedirs(f"{D}/parts"); os.makedirs(f"{D}/parts2")
for n in "ab": shutil.copy(f"{D}/g.tacozip", f"{D}/parts/{n}.tacozip")
must("create", f"{D}/src2", f"{D}/parts2/a.tacozip", *COLL)
must("query", f"{D}/g.tacozip", "--table", "level1", "--format", "parquet", "-o", f"{D}/rows.parquet")
must("convert", f"{D}/g.tacozip", f"{D}/old.tortilla")
with open(f"{D}/tiles.csv", "w") as f:
    print("id", *(f"t{i}" for i in range(40)), sep="\n", file=f)
# output -> commands that write it; those of one output replace each other, or the second is refused
G = f"{D}/g.tacozip"
jobs = {
    "out.tacozip": {"create": ["create", f"{D}/src", "OUT", *COLL], "create other": ["create", f"{D}/src2", "OUT", *COLL],
                    "export": ["export", G, "OUT", "--date", "1", "--limit", "20"], "folder2zip": ["folder2zip", f"{D}/g", "OUT"],
                    "repair": ["repair", G, "OUT"], "convert": ["convert", f"{D}/old.tortilla", "OUT"]},
    "out": {"create folder": ["create", f"{D}/src", "OUT", *COLL], "create other folder": ["create", f"{D}/src2", "OUT", *COLL],
            "export folder": ["export", G, "OUT", "--date", "1", "--limit", "20"], "zip2folder": ["zip2folder", G, "OUT"],
            "repair folder": ["repair", f"{D}/g", "OUT"]},
    "out.file": {"query ndjson": ["query", G, "--table", "level1", "--format", "ndjson", "-o", "OUT", "--overwrite"],
                 "query csv": ["query", G, "--table", "level1", "--format", "csv", "-o", "OUT", "--overwrite"],
                 "query parquet": ["query", G, "--table", "level1", "--format", "parquet", "-o", "OUT", "--overwrite"],
                 "get": ["get", G, "t3/f1", "-o", "OUT", "--overwrite"], "parquet copy": ["parquet", "copy", f"{D}/rows.parquet", "OUT", "--overwrite"],
                 "collection": ["collection", G, "--to", "stac", "-o", "OUT", "--overwrite"]},
    "out.json": {"tacollection": ["tacollection", "OUT", f"{D}/parts/a.tacozip", f"{D}/parts/b.tacozip"],
                 "tacollection other": ["tacollection", "OUT", f"{D}/parts2/a.tacozip"]},
    "cat/.tacocat": {"tacocat": ["tacocat", "OUT", f"{D}/parts/a.tacozip", f"{D}/parts/b.tacozip"],
                     "tacocat other": ["tacocat", "OUT", f"{D}/parts2/a.tacozip"]},
    "cat/__TACOCAT__": {"tacocat file": ["tacocat", "OUT", f"{D}/parts/a.tacozip", f"{D}/parts/b.tacozip"],
                        "tacocat other file": ["tacocat", "OUT", f"{D}/parts2/a.tacozip"]},
    "out.tortilla": {"convert back": ["convert", G, "OUT"]},
}
os.makedirs(f"{D}/cat"); os.makedirs(f"{D}/good")
good, took = {}, {}
for output, commands in jobs.items():
    for name, words in commands.items():
        whole = f"{D}/good/{name}/{os.path.basename(output)}"
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        t = time.perf_counter()
        p = run(*[whole if w == "OUT" else w for w in words])
        if p.returncode:
            fail(name, "does not work at all:", p.stderr); sys.exit(1)
        good[name], took[name] = whole, time.perf_counter() - t
left_names = re.compile(r".*\.[0-9a-f]{16}\.part$")


def look(pair, out, done, killed):
    """After a race: done are the names of those that succeeded, killed says whether one was."""
    near = os.path.dirname(out)
    parts = [f for f in os.listdir(near) if left_names.match(f)]
    if parts and not killed: fail(pair, "left", parts)
    for f in parts: drop(f"{near}/{f}")
    if os.path.lexists(out):
        whole = [n for n in done if same(out, good[n])]
        if not whole and not (killed and any(same(out, good[n]) for n in pair)):
            fail(pair, "the output is nobody's, done:", done)
    elif done:
        fail(pair, "done, and nothing there:", done)
    drop(out)
    others = [f for f in os.listdir(near) if f.startswith(("out", ".taco", "__TACO"))]
    if others:
        fail(pair, "left", others)
        for f in others: drop(f"{near}/{f}")


def race(output, a, b, kill):
    global races
    races += 1
    out = f"{D}/{output}"
    first = start([out if w == "OUT" else w for w in jobs[output][a]])
    time.sleep(rnd.random() * took[a] * 0.6)
    second = start([out if w == "OUT" else w for w in jobs[output][b]])
    if kill:
        time.sleep(rnd.random() * took[b])
        (first if rnd.random() < 0.5 else second).send_signal(signal.SIGKILL)
    done = []
    for name, p in ((a, first), (b, second)):
        said = p.communicate()[1]
        if p.returncode == 0: done.append(name)
        elif p.returncode != -signal.SIGKILL and (p.returncode != 1 or lines(said) != 1): fail((a, b), name, p.returncode, said)
        elif p.returncode < 0 and not kill: fail((a, b), name, "died", p.returncode)
    look((a, b), out, done, kill)


pairs = [(o, a, b) for o, c in jobs.items() for a in c for b in c if a <= b]
if A.pairs: pairs = rnd.sample(pairs, min(A.pairs, len(pairs)))
for output, a, b in pairs:
    for i in range(A.count):
        race(output, *((a, b) if i % 2 else (b, a)), i % 3 == 2)

# ---- columns into one archive: every success is there
for i in range(8):
    with open(f"{D}/add{i}.csv", "w") as f: print(f"id,c{i}", *(f"t{k},{k * i}" for k in range(40)), sep="\n", file=f)
out, lost, refused = f"{D}/out.tacozip", 0, 0
t = time.perf_counter()
shutil.copy(G, out); must("add", out, "--samples", f"{D}/add0.csv"); took["add"] = time.perf_counter() - t
for i in range(A.count):
    races += 1
    shutil.copy(G, out)
    n, kill = rnd.choice([2, 2, 3, 5]), i % 3 == 2
    running = []
    for k in range(n):
        running.append(start(["add", out, "--samples", f"{D}/add{k}.csv"]))
        time.sleep(rnd.random() * took["add"] * (1.2 if i % 2 else 0.2))
    if kill: rnd.choice(running).send_signal(signal.SIGKILL)
    done = []
    for k, p in enumerate(running):
        said = p.communicate()[1]
        if p.returncode == 0: done.append(k)
        elif p.returncode != -signal.SIGKILL:
            refused += 1
            if p.returncode != 1 or lines(said) != 1 or not re.search("being changed|replaced|locked|already", said): fail("add", i, k, p.returncode, said)
    p = run("query", out, "--limit", "3", "--format", "csv")
    columns = p.stdout.split("\n")[0].strip().split(",")
    missing = [k for k in done if f"c{k}" not in columns]
    lost += len(missing)
    if p.returncode or missing or not done and not kill: fail("add", i, "done", done, "columns", columns, p.stderr)
    if not kill:
        p = run("validate", out, "--deep")
        if p.returncode: fail("add", i, "is not valid:", p.stdout[-300:], p.stderr)
    if os.path.getsize(out) < os.path.getsize(G): fail("add", i, "the archive is shorter than it was")
    # an archive that is replaced meanwhile
    shutil.copy(G, out)
    adding = start(["add", out, "--samples", f"{D}/add1.csv"])
    time.sleep(rnd.random() * took["add"])
    p = run("export", f"{D}/parts2/a.tacozip", out, "--date", "1", "--overwrite")
    said = adding.communicate()[1]
    if p.returncode or adding.returncode not in (0, 1) or adding.returncode and lines(said) != 1: fail("add and export", p.returncode, p.stderr, said)
    p = run("validate", out, "--deep")
    if p.returncode: fail("add and export", i, "is not valid:", p.stdout[-300:])
    drop(out)
if A.count >= 20 and not refused: fail("no add was refused: there was no race")

# ---- planted: what stands under a name, or is a link, is somebody's
os.makedirs(f"{D}/precious/DATA"); open(f"{D}/precious/DATA/x", "w").write("mine"); open(f"{D}/precious/COLLECTION.json", "w").write("mine")
open(f"{D}/file", "w").write("mine")
for output, commands in jobs.items():
    for name, words in commands.items():
        out = f"{D}/{output}"
        for what in ("old part", "link to a file", "link to a directory", "link to nothing"):
            drop(out)
            target = {"old part": f"{D}/precious", "link to a file": f"{D}/file", "link to a directory": f"{D}/precious", "link to nothing": f"{D}/nothing"}[what]
            planted = out + ".part" if what == "old part" else out
            os.symlink(target, planted)
            p = run(*[out if w == "OUT" else w for w in words])
            races += 1
            if p.returncode and lines(p.stderr) != 1: fail(name, what, p.stderr)
            if p.returncode and what == "old part": fail(name, what, "was in the way:", p.stderr)
            if open(f"{D}/file").read() != "mine" or open(f"{D}/precious/DATA/x").read() != "mine" or sorted(os.listdir(f"{D}/precious")) != ["COLLECTION.json", "DATA"] or os.path.exists(f"{D}/nothing"):
                fail(name, what, "wrote or deleted through the link"); sys.exit(1)
            if p.returncode and not os.path.islink(planted): fail(name, what, "deleted the link")
            if what == "old part" and not os.path.islink(planted): fail(name, what, "deleted the link")
            if [f for f in os.listdir(os.path.dirname(out)) if left_names.match(f)]: fail(name, what, "left a temporary name")
            drop(planted); drop(out)
print(f"races.py: {len(pairs)} pairs, {races} races, {lost} updates lost, {refused} refused, {failed} failed")
shutil.rmtree(D)
sys.exit(failed != 0)
