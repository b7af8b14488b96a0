#!/usr/bin/env python3
"""write.py TACO PYTHON FILE... [--codecs zstd:3,snappy,none] [--reps 7] - Parquet files copied by the tool, polars, pyarrow and DuckDB.

PYTHON is that of the reference environment. Every side is a process with one thread that reads FILE and writes its rows with the
same codec and its own defaults otherwise; sides run alternately. CPU is user + system time (wait4), the median; of a Python
process the median CPU of its imports alone is taken off. Each output is read by pyarrow and compared with FILE once.
Exit status 1 when rows differ, when our CPU is above 0.8 of the best peer's, or our file is larger than the smallest of theirs.
"""
import argparse, os, statistics, subprocess, sys, tempfile

IMPORTS = {"polars": "import polars", "pyarrow": "import pyarrow, pyarrow.parquet", "duckdb": "import duckdb"}
COPY = {
    "polars": 'polars.read_parquet(source).write_parquet(out, compression=codec, compression_level=level)',
    "pyarrow": 'pyarrow.set_cpu_count(1); pyarrow.set_io_thread_count(1)\n'
               'pyarrow.parquet.write_table(pyarrow.parquet.read_table(source, use_threads=False), out, compression=codec, compression_level=level)',
    "duckdb": 'c = duckdb.connect(config={"threads": 1})\n'
              'c.execute("COPY (FROM read_parquet(\'%s\')) TO \'%s\' (FORMAT parquet, COMPRESSION %s%s)" % '
              '(source, out, codec, ", COMPRESSION_LEVEL %d" % level if level else ""))',
}
NONE = {"polars": "uncompressed", "pyarrow": "none", "duckdb": "uncompressed"}
SAME = '''
import sys, pyarrow.parquet as q
a, b = (q.read_table(p) for p in sys.argv[1:3])
names = a.column_names
assert names == b.column_names, (names, b.column_names)
for n in names:
    x, y = a[n].combine_chunks(), b[n].combine_chunks()
    if x.type != y.type:
        y = y.cast(x.type)
    if not x.equals(y):
        import pyarrow.compute as c
        d = c.fill_null(c.is_nan(x), False) if "float" in str(x.type) or "double" in str(x.type) else None
        assert d is not None and c.if_else(d, 0.0, x).equals(c.if_else(c.fill_null(c.is_nan(y), False), 0.0, y)), n
'''


def run(argv, env):
    p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    text = p.stderr.read()
    _, status, usage = os.wait4(p.pid, 0)
    if status:
        sys.exit("write.py: failed: %s\n%s" % (" ".join(argv)[:300], text.decode()[-400:]))
    return usage.ru_utime + usage.ru_stime


def side(name, a, source, out, codec):
    codec, _, level = codec.partition(":")
    if name == "taco.h":
        return [a.taco, "parquet", "copy", source, out, "--overwrite", "--threads", "1", "--codec", codec + (":" + level if level else "")]
    head = "%s\nsource, out, codec, level = %r, %r, %r, %r\n" % (
        IMPORTS[name], source, out, NONE[name] if codec == "none" else codec, int(level) if level else None)
    return [a.python, "-c", head + COPY[name]]


def measure(a, source, codec, tmp, env):
    names = ["taco.h"] + list(COPY)
    outs = {n: "%s/%s.parquet" % (tmp, n) for n in names}
    cpu, imports, bad = {n: [] for n in names}, {n: [] for n in COPY}, 0
    for rep in range(a.reps):
        for n in names:
            cpu[n].append(run(side(n, a, source, outs[n], codec), env))
            if n in COPY:
                imports[n].append(run([a.python, "-c", IMPORTS[n]], env))
    for n in names:
        if subprocess.run([a.python, "-c", SAME, source, outs[n]], env=env).returncode:
            print("FAIL %s: rows of %s differ" % (n, source))
            bad = 1
    seconds = {n: statistics.median(cpu[n]) - (statistics.median(imports[n]) if n in COPY else 0) for n in names}
    size = {n: os.path.getsize(outs[n]) for n in names}
    best, least = min(seconds[n] for n in COPY), min(size[n] for n in COPY)
    ratio = seconds["taco.h"] / best
    print("%-26s %-8s" % (os.path.basename(source)[:26], codec) +
          "".join("  %s %6.3f s %8.2f MB" % (n, seconds[n], size[n] / 1e6) for n in names) + "  CPU %.2f of the best, size %.2f" %
          (ratio, size["taco.h"] / least) + ("" if ratio <= 0.8 and size["taco.h"] <= least else "  MISSED"), flush=True)
    return bad or ratio > 0.8 or size["taco.h"] > least


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("taco"); ap.add_argument("python"); ap.add_argument("files", nargs="+")
    ap.add_argument("--codecs", default="zstd:3,snappy,none"); ap.add_argument("--reps", type=int, default=7)
    ap.add_argument("--tmp", help="where the files are written")
    a = ap.parse_args()
    env = dict(os.environ, POLARS_MAX_THREADS="1", OMP_NUM_THREADS="1", ARROW_IO_THREADS="1",
               HOME=os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(a.python))), "home"))
    missed = 0
    with tempfile.TemporaryDirectory(dir=a.tmp) as tmp:
        for source in a.files:
            for codec in a.codecs.split(","):
                missed += measure(a, os.path.abspath(source), codec, tmp, env)
    print("write: %d missed" % missed)
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
