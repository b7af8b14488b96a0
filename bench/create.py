#!/usr/bin/env python3
"""create.py TACO DIR [--modes a,b] [--rounds N] - writing one archive of many files, side by side in one run.

    create.py TACO DIR --make COUNT SIZE
makes the input on tmpfs: f/ (the files), list.tsv (path TAB name in the archive) and samples.ndjson. Then CPU seconds
(user and system) of fresh processes that take turns, medians of the rounds; peak memory; whether the contents are the same; and the
ratios, against what is asked of one thread: with files of 100 KB at most 1.2 times cat, tacozip 2 and tacotoolbox 8 times slower; with
files of 1 KB 10 and 50 times; at most 64 MB. Status 1 when one is not reached, a mode fails or contents differ. cat:
bench/cat.c. tacozip, tacotoolbox: the reference, of the Python that runs this. --run COUNT SIZE makes, measures and
removes the input. `make bench-create DIR=/dev/shm/bench PYTHON=...` runs both sizes."""
import argparse, hashlib, json, os, shutil, statistics, subprocess, sys, time, zipfile

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("--modes", default="cat,taco,taco-threads,taco-columns,tacozip,tacotoolbox")
ap.add_argument("--rounds", type=int, default=7); ap.add_argument("--make", nargs=2, type=int)
ap.add_argument("--run", nargs=2, type=int); ap.add_argument("--child")
A = ap.parse_args()
D, OUT = A.dir, os.path.join(A.dir, "o.tacozip")
if A.make or A.run:
    n, s = A.make or A.run
    have, need = shutil.disk_usage(os.path.dirname(os.path.abspath(D))).free, 2 * n * max(s, 4096) + (64 << 20)
    if have < need:
        sys.exit(f"{D}: {need >> 20} MiB are needed, {have >> 20} are free")
    if os.path.exists(f"{D}/f"):
        sys.exit(f"{D}/f exists already")
    pool = os.urandom(8 << 20)
    os.makedirs(f"{D}/f")
    with open(f"{D}/list.tsv", "w") as L, open(f"{D}/samples.ndjson", "w") as S:
        for i in range(n):
            name = f"s_{i:07d}.bin"; o = (i * 7919 * 64) % (len(pool) - s)
            open(f"{D}/f/{name}", "wb").write(pool[o:o + s])
            L.write(f"{D}/f/{name}\tDATA/{name}\n")
            S.write(json.dumps({"id": name, "split": "train", "cloud_cover": float(i % 100)}) + "\n")
    if A.make: sys.exit(0)
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


if A.child == "contents":  # in a process of its own: what this one needs counts as every child's peak
    print(contents()); sys.exit(0)
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
one = make + ["--threads", "1"]
commands = {"cat": [cat, f"{D}/list.tsv", OUT], "taco": one, "taco-threads": make, "taco-columns": one + ["--samples", f"{D}/samples.ndjson"],
            "tacozip": [sys.executable, __file__, A.taco, D, "--child", "tacozip"],
            "tacotoolbox": [sys.executable, __file__, A.taco, D, "--child", "tacotoolbox"]}


def run(m):
    """One run of a mode: CPU and wall seconds, peak memory in KB; None when it fails."""
    if os.path.exists(OUT): os.unlink(OUT)
    t = time.perf_counter()
    p = subprocess.Popen(commands[m], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    err = p.stderr.read(); _, status, ru = os.wait4(p.pid, 0)
    if status:
        print(f"FAIL {m}: status {status}: {err.decode()[-300:]}")
        return None
    return ru.ru_utime + ru.ru_stime, time.perf_counter() - t, ru.ru_maxrss


def measure(modes):
    """What the modes cost, by turns, so that a machine that slows down does so for all. The first writer pays for cold pages:
    a run of it is not counted. tacotoolbox runs once, it takes minutes."""
    runs, told = {m: [] for m in modes}, {}
    run(modes[0])
    for r in range(A.rounds):
        for m in modes:
            if r and (m == "tacotoolbox" or None in runs[m]): continue
            runs[m].append(run(m))
            if r == 0 and runs[m][0]:
                told[m] = subprocess.run([sys.executable, __file__, A.taco, D, "--child", "contents"], stdout=subprocess.PIPE, text=True).stdout.strip()
    done = {}
    for m, got in runs.items():
        if None in got: continue
        cpu, wall = [x[0] for x in got], [x[1] for x in got]
        done[m] = {"mode": m, "runs": len(got), "cpu": round(statistics.median(cpu), 3), "least": round(min(cpu), 3),
                   "wall": round(statistics.median(wall), 4), "peak_mb": max(x[2] for x in got) // 1024, "contents": told[m]}
        print(json.dumps(done[m]), flush=True)
    return done


size = os.path.getsize(open(f"{D}/list.tsv").readline().split("\t")[0])
wanted = {"cat": ("<=", 1.2), "tacozip": (">=", 2), "tacotoolbox": (">=", 8)} if size >= 50000 else {"tacozip": (">=", 10), "tacotoolbox": (">=", 50)}
done = measure(A.modes.split(","))
failed = [m for m in A.modes.split(",") if m not in done]
taco = done.get("taco")
if taco:
    for m, (sign, most) in wanted.items():
        if done.get(m):
            ratio = taco["cpu"] / done[m]["cpu"] if sign == "<=" else done[m]["cpu"] / taco["cpu"]
            ok = ratio <= most if sign == "<=" else ratio >= most
            print(f"{'taco / ' + m if sign == '<=' else m + ' / taco'}: {ratio:.2f} (asked: {sign} {most}) {'ok' if ok else 'NOT REACHED'}")
            if not ok: failed.append(m)
        else:
            print(f"{m}: not measured")
    for m in ("taco", "taco-threads", "taco-columns"):
        if done.get(m):
            print(f"{m}: peak {done[m]['peak_mb']} MB (asked: <= 64) {'ok' if done[m]['peak_mb'] <= 64 else 'NOT REACHED'}")
            if done[m]["peak_mb"] > 64: failed.append("peak")
if taco and done.get("taco-threads"):
    print(f"wall time, one thread / as many as processors: {taco['wall'] / done['taco-threads']['wall']:.2f}")
told = {got["contents"] for m, got in done.items() if m != "cat"}
if len(told) > 1 or "None" in told:
    print("FAIL: the contents differ")
    failed.append("contents")
if os.path.exists(OUT): os.unlink(OUT)
if A.run: shutil.rmtree(D)
sys.exit(bool(failed))
