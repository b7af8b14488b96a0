#!/usr/bin/env python3
"""short.py TACO PYTHON SHARED DIR [--rows 200000] [--reps 5] [--out FILE] - one table of what the tool takes, in some ten minutes.

PYTHON is that of the reference environment, SHARED has the tools that make the inputs, DIR is where they are made, once. Runs
of the sides of a line alternate; figures are medians of whole processes: wall and CPU seconds (wait4), of Python processes
without the CPU of their imports. Lines: one row of the archive, which is what the start of the tool takes; queries and commands
with two threads beside one; Parquet files copied beside the best of polars, pyarrow and DuckDB. Above them is what two
processes side by side get done beside one: without that, figures of two threads say nothing of the tool. Outputs of both sides
are compared. --out: the table as Markdown. Exit status 1 when outputs differ."""
import argparse, os, statistics, subprocess, sys, tempfile, time, zipfile
import write


def timed(argv, env, out):
    """Wall and CPU seconds of a process whose output goes to a file."""
    with open(out, "wb") as f:
        start = time.monotonic()
        p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=f, stderr=subprocess.PIPE, env=env)
        text = p.stderr.read()
        _, status, usage = os.wait4(p.pid, 0)
    if status:
        sys.exit("short.py: failed: %s\n%s" % (" ".join(argv)[:300], text.decode()[-400:]))
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime


def side_by_side(argv, env):
    """How much more work two processes get done than one."""
    start = time.monotonic()
    subprocess.run(argv, env=env, stdout=subprocess.DEVNULL, check=True)
    once = time.monotonic() - start
    pair = [subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL) for _ in range(2)]
    start = time.monotonic()
    for p in pair:
        p.wait()
    return 2 * once / (time.monotonic() - start)


def threads(a, name, argv, files, env, tmp, lines):
    """A line for a command with one thread and with two; `files`: what each writes beside its output."""
    seconds, cpu, outs = {1: [], 2: []}, {1: [], 2: []}, {}
    for rep in range(a.reps):
        for n in (1, 2):
            outs[n] = "%s/out%d" % (tmp, n)
            own = [w.replace("{OUT}", files % n) for w in argv] if files else argv
            wall, used = timed(own + ["--threads", str(n)], env, outs[n])
            seconds[n].append(wall); cpu[n].append(used)
    same = all(open(x, "rb").read() == open(y, "rb").read() for x, y in ((outs[1], outs[2]), (files % 1, files % 2) if files else (outs[1], outs[2])))
    one, two = (statistics.median(seconds[n]) for n in (1, 2))
    lines.append((name + ", two threads", two, statistics.median(cpu[2]), "one thread", one, one / two, "times as fast" if same else "OUTPUTS DIFFER"))
    return same


def copies(a, env, source, tmp, lines):
    ok = True
    for codec in ("zstd:3", "snappy", "none"):
        names, cpu, wall, imports = ["taco.h"] + list(write.COPY), {}, {}, {}
        outs = {n: "%s/%s.parquet" % (tmp, n) for n in names}
        for rep in range(a.reps):
            for n in names:
                w, c = timed(write.side(n, a, source, outs[n], codec), env, os.devnull)
                base = timed([a.python, "-c", write.IMPORTS[n]], env, os.devnull)[1] if n in write.COPY else 0
                cpu.setdefault(n, []).append(c); wall.setdefault(n, []).append(w); imports.setdefault(n, []).append(base)
        used = {n: statistics.median(cpu[n]) - statistics.median(imports[n]) for n in names}
        best = min(write.COPY, key=used.get)
        least = min(os.path.getsize(outs[n]) for n in write.COPY)
        same = subprocess.run([a.python, "-c", write.SAME, source, outs["taco.h"]], env=env).returncode == 0
        ok = ok and same
        lines.append(("parquet copy, " + codec, statistics.median(wall["taco.h"]), used["taco.h"], best + " (CPU)", used[best], used["taco.h"] / used[best],
                      "of its CPU; %.2f of the smallest file" % (os.path.getsize(outs["taco.h"]) / least) if same else "ROWS DIFFER"))
    return ok


def inputs(a):
    """An archive, and its level table as a file."""
    big = "%s/flat_%d.tacozip" % (a.dir, a.rows)
    os.makedirs(a.dir, exist_ok=True)
    if not os.path.exists(big):
        subprocess.run([a.python, a.shared + "/tools/make_big.py", "flat", "--n", str(a.rows), "--out", big + ".part"], check=True, stdout=subprocess.DEVNULL)
        os.rename(big + ".part", big)
    with zipfile.ZipFile(big) as z:
        z.extract("METADATA/level0.parquet", a.dir)
    return big, a.dir + "/METADATA/level0.parquet"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("taco"); ap.add_argument("python"); ap.add_argument("shared"); ap.add_argument("dir")
    ap.add_argument("--rows", type=int, default=200000); ap.add_argument("--reps", type=int, default=5); ap.add_argument("--out")
    a = ap.parse_args()
    env = dict(os.environ, POLARS_MAX_THREADS="1", OMP_NUM_THREADS="1", ARROW_IO_THREADS="1",
               HOME=os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(a.python))), "home"))
    big, level = inputs(a)
    lines, ok = [], True
    with tempfile.TemporaryDirectory(dir=a.dir) as tmp:
        start = [timed([a.taco, "query", big, "--limit", "1", "--format", "vsi"], env, os.devnull) for _ in range(10 * a.reps)]
        lines.append(("one row", *(statistics.median(x[k] for x in start) for k in (0, 1)), "", None, None, ""))
        box = ["query", big, "--bbox", "0,0,60,40", "--format", "vsi"]
        for name, argv, files in (("box", box, None), ("filter of half", ["query", big, "--where", "cloud_cover < 10", "--format", "vsi"], None),
                                  ("filter of 10 %", ["query", big, "--where", "split = 'val'", "--format", "vsi"], None),
                                  ("all paths", ["query", big, "--format", "vsi"], None), ("parquet verify", ["parquet", "verify", level], None),
                                  ("validate --deep", ["validate", "--deep", big], None),
                                  ("parquet copy", ["parquet", "copy", level, "{OUT}", "--overwrite"], tmp + "/copy%d.parquet")):
            ok = threads(a, name, [a.taco] + argv, files, env, tmp, lines) and ok
        ok = copies(a, env, level, tmp, lines) and ok
        gain = statistics.median(side_by_side([a.taco, "parquet", "verify", level, "--threads", "1"], env) for _ in range(a.reps))
    text = ["%d rows, medians of %d; two processes side by side get %.2f times the work done" % (a.rows, a.reps, gain), "",
            "| | wall s | CPU s | beside | s | ratio | |", "| --- | ---: | ---: | --- | ---: | ---: | --- |"]
    for name, wall, cpu, peer, other, ratio, note in lines:
        text.append("| %s | %.3f | %.3f | %s | %s | %s | %s |" % (name, wall, cpu, peer, "" if other is None else "%.3f" % other, "" if ratio is None else "%.2f" % ratio, note))
    print("\n".join(text))
    if a.out:
        with open(a.out, "w") as f:
            f.write("\n".join(text) + "\n")
    sys.exit(not ok)


if __name__ == "__main__":
    main()
