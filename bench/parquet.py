#!/usr/bin/env python3
"""parquet.py DIR [--reps 9] [--only NAME,NAME] [--no-codecs] [--no-columns] [--no-opening] - columns, codecs and opening against the peers, side by side.

bench/parquet.sh has put into DIR: columns/ (../shared/tools/make_columns.py: files of one column, 10 million values each, and
their checksums), the programs `columns` and `codecs` (bench/*.c), and a Python with the engines at DIR/env.

What is measured: CPU time (user + system) of a process that has read the file before, from opening it to the last
value; medians of runs that alternate between all sides; one thread each. Two kinds of work, and every engine in each
by its fastest ways:

  read    every value goes into Arrow arrays.  taco: a batch at a time, the file mapped (and "file": by fread);
          pyarrow: whole table, batch at a time, text as dictionaries, the file mapped; polars: read_parquet.
  fold    every value is read and goes into an aggregate: exclusive or of integers, sum of floats and of lists of them,
          sum of text lengths (max and count would come from the footer).  taco: over its batches; duckdb: over
          read_parquet; polars: over scan_parquet, in the streaming engine.

  rows    level0.parquet as pyarrow writes it with 100, 1,000 and 10,000 row groups of 13 columns is opened, and the number of
          its rows told: microseconds a row group.  pyarrow: ParquetFile; polars: scan_parquet and the length; duckdb: count(*).
  none    the same, and a filter that no row passes, which the statistics of every row group tell.

  ZSTD    columns whose time is mostly ZSTD: from bytes in memory, as libzstd decompresses their pages alone.

taco does the same work as those it is compared with, and is judged by the worse of the two ratios. Reading all into one
fresh table costs page faults, which is why batches are tried with every engine that has them.

Answers: taco and pyarrow compute the same order-sensitive checksum over all values, which must be that of the
generator; the aggregates of taco, DuckDB and polars must be equal (sums of floats to 7 digits: polars adds up a list
in float32).
Exit status 1 when answers differ, 2 when only targets are missed.
"""
import argparse, json, os, statistics, subprocess, sys, time

# --- an engine, in its own process: a line "check|time FILE NAME" in, JSON out -----------------------------------------


def opener(name):
    """A function from a path and "rows" or "none" to a number of rows."""
    none = "cloud_cover < -1000"
    if name == "pyarrow open":
        import pyarrow as pa, pyarrow.parquet as pq
        pa.set_cpu_count(1); pa.set_io_thread_count(1)
        return lambda p, n: (pq.ParquetFile(p, memory_map=True, pre_buffer=False).metadata.num_rows if n == "rows" else
                             pq.read_table(p, filters=[("cloud_cover", "<", -1000)], use_threads=False, memory_map=True).num_rows)
    if name == "duckdb open":
        import duckdb
        db = duckdb.connect(); db.execute("SET threads=1")
        return lambda p, n: db.execute("SELECT count(*) FROM read_parquet('%s')%s" % (p, "" if n == "rows" else " WHERE " + none)).fetchone()[0]
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars as pl
    return lambda p, n: (pl.scan_parquet(p) if n == "rows" else pl.scan_parquet(p).filter(pl.col("cloud_cover") < -1000)).select(pl.len()).collect().item()


def engine(name):

    def aggregate_sql(n):
        return ("bit_xor(c)" if n.startswith("i64") else "sum(c)" if n.startswith("f64") else
                "sum(strlen(c))" if n.startswith("str") else "sum(list_sum(c))")

    if name.endswith(" open"):
        timed = check = opener(name)
    elif name.startswith("pyarrow"):
        import numpy as np, pyarrow as pa, pyarrow.compute as pc, pyarrow.parquet as pq
        pa.set_cpu_count(1); pa.set_io_thread_count(1)

        def table(p):
            return pq.read_table(p, use_threads=False, memory_map=True, pre_buffer=False)

        def batches(p, **kw):
            f = pq.ParquetFile(p, memory_map=True, pre_buffer=False, **kw)
            n = 0
            for b in f.iter_batches(batch_size=65536, use_threads=False):
                n += b.num_rows
            return n
        run = {"pyarrow table": table, "pyarrow batches": batches,
               "pyarrow dictionary": lambda p: batches(p, read_dictionary=["c"])}[name]

        def check(p, n):
            a = table(p).column("c").combine_chunks()
            a = a.values if n.startswith("list") else a.drop_null()
            i = np.arange(1, len(a) + 1, dtype=np.uint64)
            if n.startswith("str"):
                v = pc.binary_length(a).to_numpy(zero_copy_only=False).astype(np.uint64)
                o = np.frombuffer(a.buffers()[1], np.int32)
                return "%d/%d" % (int((v * i).sum(dtype=np.uint64)), int(np.frombuffer(a.buffers()[2], np.uint8)[o[0]:o[len(a)]].sum(dtype=np.uint64)))
            v = a.to_numpy(zero_copy_only=False)
            v = v.view(np.uint32).astype(np.uint64) if v.dtype.itemsize == 4 else v.view(np.uint64)
            with np.errstate(over="ignore"):
                return str(int((v * i).sum(dtype=np.uint64)))
        timed = lambda p, n: run(p)
    elif name == "duckdb":
        import duckdb
        db = duckdb.connect(); db.execute("SET threads=1")
        timed = lambda p, n: db.execute("SELECT %s FROM read_parquet('%s')" % (aggregate_sql(n), p)).fetchone()[0]
        check = timed
    else:
        os.environ["POLARS_MAX_THREADS"] = "1"
        import polars as pl

        def lazy(n):
            c = pl.col("c")
            return (c.bitwise_xor() if n.startswith("i64") else c.sum() if n.startswith("f64") else
                    c.str.len_bytes().cast(pl.Int64).sum() if n.startswith("str") else c.list.sum().cast(pl.Float64).sum())
        check = lambda p, n: pl.scan_parquet(p).select(lazy(n)).collect(engine="streaming").item()
        timed = check if name == "polars fold" else lambda p, n: pl.read_parquet(p)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        what, p, n = line.split()
        t = time.process_time()
        r = (check if what == "check" else timed)(p, n)
        t = time.process_time() - t
        print(json.dumps({"cpu": t, "answer": (int(r) if float(r) == int(r) and not n.startswith(("f64", "list")) else r)
                          if isinstance(r, (int, float)) or hasattr(r, "as_integer_ratio") else str(r) if what == "check" else None}), flush=True)
        r = None


# --- the driver ----------------------------------------------------------------------------------------------------------


class Side:
    def __init__(self, argv, hello):
        self.p = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        if hello and not self.p.stdout.readline():
            raise OSError("does not start")

    def ask(self, line):
        self.p.stdin.write(line + "\n"); self.p.stdin.flush()
        return self.p.stdout.readline().strip()


READ = ["pyarrow table", "pyarrow batches", "pyarrow dictionary", "polars table"]
FOLD = ["duckdb", "polars fold"]
# of the best engine's time, at most: dictionary and DELTA columns 0.6, plain text 0.7, no kind slower
TARGETS = {"i64_dict_none": .6, "i64_dict_zstd": .6, "str_dict_zstd": .6, "i64_delta_none": .6, "i64_delta_zstd": .6, "str_plain_zstd": .7}
ZSTD_ONLY = 1.15    # of libzstd's time for the pages, where that is most of the work


def same(a, b):
    try:
        return int(a) == int(b) if "." not in "%s%s" % (a, b) and "e" not in "%s%s" % (a, b) else abs(float(a) - float(b)) <= 1e-7 * abs(float(b))
    except ValueError:
        return str(a) == str(b)


def columns(dir, reps, only):
    python, wrong, missed = dir + "/env/bin/python", 0, 0
    taco, sides = Side([dir + "/columns"], False), {}
    for e in READ + FOLD:
        try:
            sides[e] = Side([python, os.path.abspath(__file__), "--engine", e], True)
        except OSError as x:
            print("MISSING %s: %s" % (e, x))
    expect = json.load(open(dir + "/columns-data/expect.json"))
    short = lambda e: e.replace("pyarrow ", "pa.").replace("polars ", "pl.").replace("dictionary", "dict")
    read, fold = ([e for e in k if e in sides] for k in (READ, FOLD))
    print("ns of CPU per value, %d alternating runs\n%-26s %6s %s | %6s %s | %6s | %-22s | %s" % (
        reps, "column", "read", " ".join("%10s" % short(e) for e in read), "fold", " ".join("%8s" % short(e) for e in fold), "file", "of the best engine", "of libzstd alone"))
    for n, x in expect.items():
        if only and n not in only:
            continue
        p, used = os.path.abspath("%s/columns-data/%s.parquet" % (dir, n)), [e for e in sides if e != "pyarrow dictionary" or n == "str_dict_zstd"]
        for who, got, want in [("taco", taco.ask("sum " + p), x["checksum"])] + [
                (e, json.loads(sides[e].ask("check %s %s" % (p, n)))["answer"], x["checksum"] if e.startswith("pyarrow") else taco.ask("fold " + p).split()[1])
                for e in used]:
            if not same(got, want):
                print("FAIL %s: %s answers %s, expected %s" % (n, who, got, want))
                wrong += 1
        times = {k: [] for k in used + ["read", "fold", "file", "held", "zstd"]}
        for _ in range(reps):
            for k in ("read", "fold", "file"):
                times[k].append(float(taco.ask("%s %s" % (k, p)).split()[0]))
            for e in used:
                times[e].append(json.loads(sides[e].ask("time %s %s" % (p, n)))["cpu"])
                k = "read" if e in READ else "fold"
                times[k].append(float(taco.ask("%s %s" % (k, p)).split()[0]))
            z = taco.ask("zstd " + p) if "zstd" in n else "-"
            times["zstd"] += [float(z)] if z != "-" else []
            times["held"] += [float(taco.ask("held " + p))] if z != "-" else []
        ns = {k: statistics.median(v) / x["leaves"] * 1e9 for k, v in times.items() if v}
        ratio, best = max((ns[k] / min(ns[e] for e in kind if e in used), min((e for e in kind if e in used), key=lambda e: ns[e]))
                          for k, kind in (("read", read), ("fold", fold)) if kind)
        target, over, zstd = TARGETS.get(n, 1), "", True
        if "zstd" in ns and ns["zstd"] > .3 * ns["read"]:
            zstd = ns["held"] / ns["zstd"] <= ZSTD_ONLY  # both from memory
            over = "%5.2f (%.2f) %-4s %5.2f ns" % (ns["held"] / ns["zstd"], ZSTD_ONLY, "ok" if zstd else "MISS", ns["zstd"])
        elif "zstd" in ns:
            over = "stored blocks: %.2f ns" % ns["zstd"]
        missed += ratio > target or not zstd
        print("%-26s %6.2f %s | %6.2f %s | %6.2f | %5.2f (%.2f) %-4s %-11s | %s" % (
            n, ns["read"], " ".join("%10.2f" % ns[e] if e in used else "%10s" % "" for e in read), ns["fold"], " ".join("%8.2f" % ns[e] for e in fold), ns["file"],
            ratio, target, "ok" if ratio <= target else "MISS", short(best), over))
        sys.stdout.flush()
    return wrong, missed


def opening(dir, reps):
    """What opening costs a row group."""
    python, wrong, missed = dir + "/env/bin/python", 0, 0
    taco, sides = Side([dir + "/columns"], False), {}
    for e in ("pyarrow", "polars", "duckdb"):
        try:
            sides[e] = Side([python, os.path.abspath(__file__), "--engine", e + " open"], True)
        except OSError as x:
            print("MISSING %s: %s" % (e, x))
    print("us of CPU per row group, %d alternating runs\n%8s %-5s %8s %s | of the best" % (reps, "groups", "", "taco", " ".join("%9s" % e for e in sides)))
    for groups in (100, 1000, 10000):
        p = os.path.abspath("%s/groups_%d.parquet" % (dir, groups))
        if not os.path.exists(p):
            subprocess.run([python, "-c", "import sys, pyarrow.parquet as q; t = q.read_table(sys.argv[1]); "
                            "q.write_table(t, sys.argv[2], row_group_size=-(-t.num_rows // int(sys.argv[3])))", dir + "/level0.parquet", p, str(groups)], check=True)
        for work in ("rows", "none"):
            times, answers = {k: [] for k in ["taco"] + list(sides)}, set()
            for _ in range(reps):
                seconds, rows = taco.ask("%s %s" % (work, p)).split()
                times["taco"].append(float(seconds)); answers.add(int(rows))
                for e in sides:
                    got = json.loads(sides[e].ask("time %s %s" % (p, work)))
                    times[e].append(got["cpu"]); answers.add(got["answer"])
            us = {k: statistics.median(v) / groups * 1e6 for k, v in times.items()}
            ratio = us["taco"] / min(us[e] for e in sides) if sides else 0
            wrong += len(answers) != 1
            missed += ratio > 1
            print("%8d %-5s %8.2f %s | %5.2f (1.00) %s" % (groups, work, us["taco"], " ".join("%9.2f" % us[e] for e in sides), ratio,
                  "ANSWERS DIFFER" if len(answers) != 1 else "ok" if ratio <= 1 else "MISS"), flush=True)
    return wrong, missed


def main():
    if sys.argv[1:2] == ["--engine"]:
        return engine(sys.argv[2])
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir"); ap.add_argument("--reps", type=int, default=9); ap.add_argument("--only", default="")
    ap.add_argument("--no-codecs", action="store_true"); ap.add_argument("--no-columns", action="store_true"); ap.add_argument("--no-opening", action="store_true")
    a = ap.parse_args()
    wrong, missed, only = 0, 0, set(filter(None, a.only.split(",")))
    if not a.no_codecs:
        for program in ("codecs", "codecs-plain"):
            status = subprocess.run([a.dir + "/" + program, str(a.reps)] + [a.dir + "/" + f for f in ("level0.parquet", "mixed.bin")]).returncode
            wrong, missed = wrong + (status not in (0, 1)), missed + (status == 1)
    if not a.no_columns:
        w, m = columns(a.dir, a.reps, only)
        wrong, missed = wrong + w, missed + m
    if not a.no_opening:
        w, m = opening(a.dir, a.reps)
        wrong, missed = wrong + w, missed + m
    print("all targets reached" if not wrong and not missed else "%d wrong answers, %d tables or columns with a target missed" % (wrong, missed))
    return 1 if wrong else 2 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
