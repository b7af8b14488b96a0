#!/usr/bin/env python3
"""kill.py TACO DIR [--count N] [--seed S] - writers killed at random moments.

create, export, zip2folder and folder2zip are killed (SIGKILL) after a random part of the time they take. Under the final
name there is then nothing, or a whole dataset, byte for byte what an undisturbed run makes; running it again, beside
what the killed one left under a temporary name, succeeds. The same with SIGINT, SIGTERM and SIGHUP, and with single files (parquet copy, query -o):
then the temporary file is gone, too, and the status tells the signal. On a terminal, a bar."""
import argparse, filecmp, json, os, pty, random, re, shutil, signal, subprocess, sys, time, zipfile

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("--count", type=int, default=200); ap.add_argument("--seed", type=int, default=1)
A = ap.parse_args()
rnd = random.Random(A.seed)
D = os.path.abspath(A.dir); A.taco = os.path.abspath(A.taco)
shutil.rmtree(D, ignore_errors=True); os.makedirs(f"{D}/src")
for i in range(60):
    os.makedirs(f"{D}/src/t{i}")
    for k in range(5):
        open(f"{D}/src/t{i}/f{k}", "wb").write(rnd.randbytes(rnd.choice([0, 10, 5000, 400000]) if k else 1000))
json.dump({"id": "k", "dataset_version": "1", "description": "k", "licenses": ["CC0-1.0"], "providers": [{"name": "x"}], "tasks": ["other"]}, open(f"{D}/c.json", "w"))


def same(a, b):
    if os.path.isfile(a) or os.path.isfile(b):
        return os.path.isfile(a) and os.path.isfile(b) and filecmp.cmp(a, b, shallow=False)
    d = filecmp.dircmp(a, b)
    return not d.left_only and not d.right_only and not filecmp.cmpfiles(a, b, d.common_files, shallow=False)[1] and \
        all(same(f"{a}/{n}", f"{b}/{n}") for n in d.common_dirs)


def drop(p):
    if os.path.isdir(p): shutil.rmtree(p)
    elif os.path.exists(p): os.remove(p)


def parts():
    """What runs have under temporary names."""
    return [f"{D}/{f}" for f in os.listdir(D) if f.endswith(".part")]


def stale(path):
    """As the manual describes the name that a killed run leaves behind."""
    return re.fullmatch(r"out(-q)?(\.[a-z]+)?\.[0-9a-f]{16}\.part", os.path.basename(path))


jobs = {"create": (["create", f"{D}/src", "OUT", "--collection", f"{D}/c.json"], ".tacozip"),
        "create folder": (["create", f"{D}/src", "OUT", "--collection", f"{D}/c.json"], ""),
        "export": (["export", f"{D}/good-create.tacozip", "OUT", "--date", "1", "--limit", "40"], ".tacozip"),
        "zip2folder": (["zip2folder", f"{D}/good-create.tacozip", "OUT"], ""),
        "folder2zip": (["folder2zip", f"{D}/good-create folder", "OUT"], ".zip")}
single = {"copy": (["parquet", "copy", f"{D}/rows.parquet", "OUT", "--overwrite"], ".parquet"),
          "query": (["query", f"{D}/rows.tacozip", "--format", "ndjson", "--overwrite", "-o", "OUT"], ".ndjson"),
          "query parquet": (["query", f"{D}/rows.tacozip", "--format", "parquet", "--overwrite", "-o", "OUT"], "-q.parquet")}
os.makedirs(f"{D}/rows")
for i in range(20000):
    open(f"{D}/rows/sample_{i * 7919 % 20000:05d}", "wb").close()
subprocess.run([A.taco, "create", f"{D}/rows", f"{D}/rows.tacozip", "--collection", f"{D}/c.json"], check=True)
open(f"{D}/rows.parquet", "wb").write(zipfile.ZipFile(f"{D}/rows.tacozip").read("METADATA/level0.parquet"))
good, took = {}, {}
for name, (words, end) in [*jobs.items(), *single.items()]:
    good[name] = f"{D}/good-{name}{end}"
    t = time.perf_counter()
    subprocess.run([A.taco] + [good[name] if w == "OUT" else w for w in words], check=True)
    took[name] = time.perf_counter() - t
killed = finished = failed = 0
for i in range(A.count):
    name = rnd.choice(list(jobs))
    words, end = jobs[name]
    out = f"{D}/out{end}"
    words = [A.taco] + [out if w == "OUT" else w for w in words]
    drop(out)
    if rnd.random() < 0.5:
        for x in parts(): drop(x)
    p = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rnd.random() * took[name] * 1.1)
    p.send_signal(signal.SIGKILL)
    status = p.wait()
    killed += status != 0; finished += status == 0
    if os.path.exists(out):
        if not same(out, good[name]):
            print("FAIL", name, i, "a broken dataset under the final name"); failed += 1
    elif status == 0:
        print("FAIL", name, i, "done, and nothing there"); failed += 1
    if rnd.random() < 0.5:
        drop(out)
        if subprocess.run(words, stderr=subprocess.PIPE).returncode or not same(out, good[name]):
            print("FAIL", name, i, "the rerun"); failed += 1
strange = [x for x in parts() if not stale(x)]
if strange:
    print("FAIL: killed runs left", strange); failed += 1
for x in parts(): drop(x)
def heed():
    """A job in the background, or under nohup, ignores these, and so do its children, taco among them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


jobs.update(single)
stopped = 0
for i in range(A.count):
    name = list(jobs)[i % len(jobs)]
    words, end = jobs[name]
    out, number = f"{D}/out{end}", rnd.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    drop(out)
    p = subprocess.Popen([A.taco] + [out if w == "OUT" else w for w in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=heed)
    time.sleep(rnd.random() * took[name] * 1.1)
    p.send_signal(number)
    said, status = p.communicate()[1], p.returncode
    stopped += status != 0
    if status not in (0, -number) or said not in ("", "interrupted\n") or parts() or os.path.exists(out) != (status == 0) and not same(out, good[name]):
        print("FAIL", name, i, number, "status", status, said, "left:", [f for f in os.listdir(D) if f.startswith("out")]); failed += 1
if stopped < A.count // 4:
    print("FAIL: only", stopped, "of", A.count, "were stopped"); failed += 1

# over an old one: killed at any moment, a whole dataset has the name, the old one or the new one, and a reader beside never
# fails; what a killed run leaves is named by the next
over = {"create folder": (["create", f"{D}/src", "OUT", "--collection", f"{D}/c.json"], f"{D}/good-create folder"),
        "zip2folder": (["zip2folder", f"{D}/good-create.tacozip", "OUT"], f"{D}/good-zip2folder"),
        "repair": (["repair", f"{D}/good-create folder", "OUT"], None),
        "tacocat": (["tacocat", "OUT", f"{D}/cat/a.tacozip", f"{D}/cat/b.tacozip"], None)}
os.makedirs(f"{D}/cat")
for n in "ab": shutil.copy(f"{D}/good-create.tacozip", f"{D}/cat/{n}.tacozip")
subprocess.run([A.taco, "export", f"{D}/good-create.tacozip", f"{D}/was", "--limit", "3", "--quiet"], check=True)
subprocess.run([A.taco, "tacocat", f"{D}/cat/.tacocat", f"{D}/cat/a.tacozip", "--quiet"], check=True)
shutil.copytree(f"{D}/cat/.tacocat", f"{D}/was-cat")
os.makedirs(f"{D}/over")
kept = renewed = named = 0
for i in range(A.count // 2):
    name = list(over)[i % len(over)]
    words, want = over[name]
    at, was = (f"{D}/cat/.tacocat", f"{D}/was-cat") if name == "tacocat" else (f"{D}/over/out", f"{D}/was")
    words = [A.taco] + [at if w == "OUT" else w for w in words] + ["--overwrite", "--quiet"]
    left = [f for f in os.listdir(os.path.dirname(at)) if ".part" in f]
    drop(at); shutil.copytree(was, at)
    if name not in took or want is None:
        t = time.perf_counter()
        said = subprocess.run(words, check=True, capture_output=True, text=True).stderr
        took[name] = time.perf_counter() - t
        want = f"{D}/want-{name}"
        if not os.path.exists(want): shutil.copytree(at, want); over[name] = (over[name][0], want)
        if left and not all(f in said for f in left): print("FAIL over", name, "does not name", left, said); failed += 1
        named += len(left)
        drop(at); shutil.copytree(was, at)
    p = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until, missing = time.perf_counter() + rnd.random() * took[name] * 1.1, 0
    while time.perf_counter() < until: missing += not os.path.exists(f"{at}/COLLECTION.json")
    p.kill(); p.wait()
    state = "old" if same(at, was) else "new" if same(at, want) else "neither"
    kept, renewed = kept + (state == "old"), renewed + (state == "new")
    if state == "neither" or missing:
        print("FAIL over", name, i, state, "missing for a reader", missing, "times"); failed += 1
if not kept or not renewed:
    print("FAIL: over old ones,", kept, "kept and", renewed, "new"); failed += 1

# columns for the archive itself: killed at any moment, it has the old columns or the new ones, and the rest is as it was
with open(f"{D}/add.csv", "w") as f:
    print("id,cloud", *(f"sample_{i:05d},{i}" for i in range(20000)), sep="\n", file=f)
was, out = open(f"{D}/rows.tacozip", "rb").read(), f"{D}/out-add.tacozip"
add = [A.taco, "add", out, "--samples", f"{D}/add.csv"]
old, new = 0, 0
for i in range(A.count // 4):
    open(out, "wb").write(was)
    if i == 0:
        for _ in range(3):  # the first may wait for a busy machine
            open(out, "wb").write(was)
            t = time.perf_counter()
            subprocess.run(add, check=True)
            took["add"] = min(took.get("add", 60), time.perf_counter() - t)
        now = open(out, "rb").read()
        want = subprocess.run([A.taco, "query", out, "--select", "id, cloud", "--format", "csv"], capture_output=True).stdout
        continue
    p = subprocess.Popen(add, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(took["add"] * (0.3 + rnd.random() * 0.8))
    p.kill(); p.wait()
    left = open(out, "rb").read()
    turned = left[:157] == now[:157]
    old, new = old + (not turned), new + turned
    p = subprocess.run([A.taco, "query", out, "--limit", "1", "--select", "id, cloud" if turned else "id"], capture_output=True, text=True)
    if p.returncode or left[157:len(was)] != was[157:] or turned and left != now or left[:157] not in (was[:157], now[:157]):
        print("FAIL add", i, "killed:", p.stderr, len(left), turned); failed += 1
    if not turned:
        p = subprocess.run([A.taco, "validate", out], capture_output=True, text=True)
        wrong = p.stdout.splitlines()
        if len(left) > len(was) and (len(wrong) != 1 or "an add was interrupted; `taco add` or `taco repair` finishes it" not in wrong[0]):
            print("FAIL add", i, "validate:", wrong[:4]); failed += 1
        p = subprocess.run(add, stderr=subprocess.PIPE)
        rows = subprocess.run([A.taco, "query", out, "--select", "id, cloud", "--format", "csv"], capture_output=True).stdout
        if p.returncode or rows != want or subprocess.run(["unzip", "-tqq", out], capture_output=True).returncode or open(out, "rb").read(len(left))[157:] != left[157:]:
            print("FAIL add", i, "the rerun", p.stderr); failed += 1
if not old:
    print("FAIL: no add was killed in time"); failed += 1

# a bar for work of more than a second, which leaves no trace; none with --quiet
os.makedirs(f"{D}/much")
for i in range(120):
    with open(f"{D}/much/{i:03d}", "wb") as f: f.truncate(2000000)
def on_terminal(words, pause):
    """What a command says on a terminal when it is stopped for more than a second, which is when a bar appears."""
    shutil.rmtree(words[2], ignore_errors=True)  # directories are not overwritten
    ours, theirs = pty.openpty()
    p = subprocess.Popen([A.taco] + words, stderr=theirs)
    os.close(theirs)
    time.sleep(pause)
    p.send_signal(signal.SIGSTOP)
    time.sleep(1.1)
    p.send_signal(signal.SIGCONT)
    said = b""
    try:
        while piece := os.read(ours, 65536): said += piece
    except OSError: pass  # the other end was closed
    os.close(ours)
    if p.wait(): raise SystemExit(f"FAIL {words}: {said}")
    return said.decode()
size = r"[0-9.]+ [kMG]?B"
told = f"{size} of {size}, [0-9]+ %, {size}/s, [0-9]+:[0-9][0-9] left"
for name, words, want in (("create", ["create", f"{D}/much", f"{D}/much.tacozip", "--collection", f"{D}/c.json", "--overwrite"], told),
                          ("zip2folder", ["zip2folder", f"{D}/much.tacozip", f"{D}/muchf"], told),
                          ("quiet", ["zip2folder", f"{D}/much.tacozip", f"{D}/muchq", "--quiet"], None)):
    said = ""
    for pause in (0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.3):  # it must have begun, and not be at its end
        said = on_terminal(words, pause)
        if said: break
    if not (re.search("\r\x1b\\[K" + want, said) and said.endswith("\r\x1b[K") if want else said == ""):
        print("FAIL", name, "bar:", [said[-200:]]); failed += 1
# control characters of a value, or of a name, reach no terminal; a file and a pipe get them as they are
os.makedirs(f"{D}/esc"); open(f"{D}/esc/a", "w").close()
json.dump({"id": "a", "note": "x\x1b[2J\x07\u009b31m\x7fy"}, open(f"{D}/esc.ndjson", "w"))
subprocess.run([A.taco, "create", f"{D}/esc", f"{D}/esc.tacozip", "--collection", f"{D}/c.json", "--samples", f"{D}/esc.ndjson"], check=True)
for words in (["query", f"{D}/esc.tacozip", "--select", "note", "--format", "csv"], ["query", f"{D}/no\x1b[2J\x07.tacozip"]):
    ours, theirs = pty.openpty()
    p = subprocess.Popen([A.taco] + words, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 65536): said += piece
    except OSError: pass
    os.close(ours)
    p.wait()
    if not said or any(c < 32 and c not in b"\r\n\t" or c == 127 for c in said) or b"\xc2\x9b" in said:
        print("FAIL terminal:", said); failed += 1
if b"x\x1b[2J\x07\xc2\x9b31m\x7fy" not in subprocess.run([A.taco, "query", f"{D}/esc.tacozip", "--select", "note", "--format", "csv"], capture_output=True).stdout:
    print("FAIL terminal: a pipe got something else"); failed += 1
print(f"kill.py: {killed} killed, {finished} had finished, {stopped} stopped, {kept} old ones kept, {renewed} replaced, columns added in {new} of {old + new}, {failed} failed")
shutil.rmtree(D)
sys.exit(failed != 0)
