#!/usr/bin/env python3
"""create.py TACO DIR [--modes a,b] [--rounds N] - writing one archive of many files, side by side in one run.

DIR has f/ (the files), list.tsv (path TAB name in the archive) and samples.ndjson; make them on tmpfs with
    create.py TACO DIR --make COUNT SIZE
CPU seconds (user and system) of fresh processes, the middle of the rounds; peak memory; and whether the contents are
the same. cat: bench/cat.c. tacozip, tacotoolbox: the reference, where this Python has it."""
import argparse, hashlib, json, os, resource, subprocess, sys, time, zipfile

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("--modes", default="cat,taco,taco-columns,tacozip,tacotoolbox")
ap.add_argument("--rounds", type=int, default=3); ap.add_argument("--make", nargs=2, type=int); ap.add_argument("--child")
A = ap.parse_args()
D, OUT = A.dir, os.path.join(A.dir, "o.tacozip")
if A.make:
    n, s = A.make
    pool = os.urandom(8 << 20)
    os.makedirs(f"{D}/f")
    with open(f"{D}/list.tsv", "w") as L, open(f"{D}/samples.ndjson", "w") as S:
        for i in range(n):
            name = f"s_{i:07d}.bin"; o = (i * 7919 * 64) % (len(pool) - s)
            open(f"{D}/f/{name}", "wb").write(pool[o:o + s])
            L.write(f"{D}/f/{name}\tDATA/{name}\n")
            S.write(json.dumps({"id": name, "split": "train", "cloud_cover": float(i % 100)}) + "\n")
    sys.exit(0)
if A.child:
    lst = [l.rstrip("\n").split("\t") for l in open(f"{D}/list.tsv")]
    if A.child == "tacozip":
        import tacozip
        tacozip.create(OUT, [p for p, _ in lst], [a for _, a in lst], [(1, 1)])
    else:
        from pathlib import Path
        from tacotoolbox.datamodel import Sample, Tortilla, Taco
        import tacotoolbox
        S = [Sample(id=a[5:], path=Path(p), split="train", cloud_cover=float(i % 100)) for i, (p, a) in enumerate(lst)]
        t = Taco(tortilla=Tortilla(samples=S), id="b", dataset_version="1.0.0", description="b", licenses=["CC-BY-4.0"],
                 providers=[{"name": "x", "roles": ["producer"]}], tasks=["regression"])
        tacotoolbox.create(t, OUT, split_size=None)
    sys.exit(0)
json.dump({"id": "b", "dataset_version": "1.0.0", "description": "b", "licenses": ["CC-BY-4.0"],
           "providers": [{"name": "x", "roles": ["producer"]}], "tasks": ["regression"]}, open(f"{D}/collection.json", "w"))
cat = os.path.join(D, "cat")
subprocess.run(["cc", "-O2", os.path.join(os.path.dirname(os.path.abspath(__file__)), "cat.c"), "-o", cat], check=True)
make = [A.taco, "create", f"{D}/f", OUT, "--collection", f"{D}/collection.json"]
commands = {"cat": [cat, f"{D}/list.tsv", OUT], "taco": make, "taco-columns": make + ["--samples", f"{D}/samples.ndjson"],
            "tacozip": [sys.executable, __file__, A.taco, D, "--child", "tacozip"],
            "tacotoolbox": [sys.executable, __file__, A.taco, D, "--child", "tacotoolbox"]}


def contents():
    """One hash of all payload entries in order, with their names; None for what is no archive."""
    h = hashlib.sha1()
    try:
        with zipfile.ZipFile(OUT) as z:
            for i in z.infolist():
                if i.filename.startswith("DATA/"):
                    h.update(i.filename.encode()); h.update(z.read(i))
    except zipfile.BadZipFile:
        return None
    return h.hexdigest()[:12]


for m in A.modes.split(","):
    rounds = 1 if m == "tacotoolbox" else A.rounds
    cpu, wall, peak, what = [], [], 0, None
    for r in range(rounds + (m == A.modes.split(",")[0])):  # the first writer pays for cold pages
        if os.path.exists(OUT): os.unlink(OUT)
        t = time.perf_counter()
        p = subprocess.Popen(commands[m], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        err = p.stderr.read(); _, status, ru = os.wait4(p.pid, 0)
        wall.append(time.perf_counter() - t); cpu.append(ru.ru_utime + ru.ru_stime); peak = max(peak, ru.ru_maxrss)
        if status: print(m, status, err.decode()[-300:])
    what = contents()
    print(json.dumps({"mode": m, "cpu": round(sorted(cpu)[(len(cpu) - 1) // 2], 3), "least": round(min(cpu), 3), "wall": round(sorted(wall)[len(wall) // 2], 2),
                      "peak_mb": peak // 1024, "contents": what}), flush=True)
if os.path.exists(OUT): os.unlink(OUT)
