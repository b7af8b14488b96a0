#!/usr/bin/env python3
"""kill.py TACO DIR [--count N] [--seed S] - writers killed at random moments.

create, export, zip2folder and folder2zip are killed (SIGKILL) after a random part of the time they take. Under the final
name there is then nothing, or a whole dataset, byte for byte what an undisturbed run makes; and running it again, over
what the killed one left, succeeds."""
import argparse, filecmp, json, os, random, shutil, signal, subprocess, sys, time

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


jobs = {"create": (["create", f"{D}/src", "OUT", "--collection", f"{D}/c.json"], ".tacozip"),
        "create folder": (["create", f"{D}/src", "OUT", "--collection", f"{D}/c.json"], ""),
        "export": (["export", f"{D}/good-create.tacozip", "OUT", "--date", "1", "--limit", "40"], ".tacozip"),
        "zip2folder": (["zip2folder", f"{D}/good-create.tacozip", "OUT"], ""),
        "folder2zip": (["folder2zip", f"{D}/good-create folder", "OUT"], ".zip")}
good, took = {}, {}
for name, (words, end) in jobs.items():
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
        drop(out + ".part")
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
        if subprocess.run(words, stderr=subprocess.PIPE).returncode or not same(out, good[name]) or os.path.exists(out + ".part"):
            print("FAIL", name, i, "the rerun"); failed += 1
print(f"kill.py: {killed} killed, {finished} had finished, {failed} failed")
shutil.rmtree(D)
sys.exit(failed != 0)
