#!/usr/bin/env python3
"""sql.py DIR PYTHON [--rows 1000000] [--reps 7] [--only NAME,NAME] - queries against DuckDB, polars, pyarrow and tacoreader.

bench/sql.sh has put into DIR flat_N.tacozip and flat_100000.tacozip (../shared/tools/make_big.py), level0-N.parquet (the
METADATA/level0.parquet of the first, as it is) and the program `sql` (bench/sql.c). PYTHON is that of the reference environment.

Every engine is one process with one thread. For each query all sides give the same answers, which are compared, and then run
alternately; figures are medians of CPU time (user + system), the file read before. Every query begins by opening the file
and ends when all rows were made; ours by taco_sql and by taco_select, from a mapped file and with fread, and judged by
the better source (the peers map files) of the worse call. Peers are taken by the best of them, each by its fastest ways.

  threads  our own queries with parallel_for on two threads against one. Judged is what two idle processors would need, from
           the CPU time of every task and of what is between them (here they share one processor's cache, which is to our
           disadvantage); the wall times shown beside it are that only on a quiet machine.
  warm     a query on a dataset that stays open against tacoreader's, at N and at 100,000 rows.
Exit status 1 when answers differ, 2 when only targets are missed.
"""
import argparse, json, os, statistics, subprocess, sys, time

BOX = (-10, 35, 5, 45)
NAMES = ["filter 0.1 %", "filter 10 %", "all paths", "time", "id", "bbox", "count", "group", "group 120", "top 10"]

# --- an engine, in its own process: a line "check|time NAME" in, lines out ---------------------------------------------


def engine(kind, path, key, archive):
    os.environ["POLARS_MAX_THREADS"] = "1"
    if kind == "duckdb":
        import duckdb
        db = duckdb.connect(); db.execute("SET threads=1")
        try: db.execute("LOAD spatial"); spatial = True
        except Exception: spatial = False
        vsi = "'/vsisubfile/' || \"internal:offset\" || '_' || \"internal:size\" || ',%s'" % archive
        src = "read_parquet('%s')" % path
        where = {"filter 0.1 %": "cloud_cover > 98.6", "filter 10 %": "split = 'val'", "all paths": "true", "id": "id = '%s'" % key,
                 "time": "\"stac:time_start\" >= TIMESTAMP '2021-01-01' AND \"stac:time_start\" < TIMESTAMP '2021-07-01'",
                 "bbox": "ST_Intersects(ST_GeomFromWKB(\"stac:centroid\"), ST_MakeEnvelope(%s,%s,%s,%s))" % BOX}
        other = {"count": "SELECT count(*) FROM " + src, "group": "SELECT split, count(*) FROM %s GROUP BY split" % src,
                 "group 120": "SELECT \"stac:crs\", count(*) FROM %s GROUP BY 1" % src,
                 "top 10": "SELECT id, cloud_cover FROM %s ORDER BY cloud_cover DESC NULLS LAST LIMIT 10" % src}

        def run(q):
            if q == "bbox" and not spatial: return None
            r = db.execute(other[q] if q in other else "SELECT %s AS v FROM %s WHERE %s" % (vsi, src, where[q]))
            t = r.to_arrow_table() if hasattr(r, "to_arrow_table") else r.fetch_arrow_table()
            return [c.to_pylist for c in t.columns], t.num_rows
    elif kind.startswith("polars"):
        import polars as pl, datetime as D
        mode = "streaming" if kind.endswith("streaming") else "in-memory"
        f = {"filter 0.1 %": pl.col("cloud_cover") > 98.6, "filter 10 %": pl.col("split") == "val", "all paths": None, "id": pl.col("id") == key,
             "time": (pl.col("stac:time_start") >= D.datetime(2021, 1, 1)) & (pl.col("stac:time_start") < D.datetime(2021, 7, 1))}

        def run(q):
            if q == "bbox": return None
            lf = pl.scan_parquet(path)
            if q == "count": lf = lf.select(pl.len())
            elif q == "group": lf = lf.group_by("split").len()
            elif q == "group 120": lf = lf.group_by("stac:crs").len()
            elif q == "top 10": lf = lf.select("id", "cloud_cover").top_k(10, by="cloud_cover")
            else:
                if f[q] is not None: lf = lf.filter(f[q])
                lf = lf.select(pl.format("/vsisubfile/{}_{}," + archive, pl.col("internal:offset"), pl.col("internal:size")))
            t = lf.collect(engine=mode)
            return [c.to_list for c in t.get_columns()], t.height
    else:
        import pyarrow as pa, pyarrow.parquet as pq, pyarrow.compute as pc, datetime as D
        pa.set_cpu_count(1); pa.set_io_thread_count(1)
        f = {"filter 0.1 %": pc.field("cloud_cover") > 98.6, "filter 10 %": pc.field("split") == "val", "all paths": None, "id": pc.field("id") == key,
             "time": (pc.field("stac:time_start") >= D.datetime(2021, 1, 1)) & (pc.field("stac:time_start") < D.datetime(2021, 7, 1))}

        def read(columns, **kw):
            return pq.read_table(path, columns=columns, use_threads=False, memory_map=True, **kw)

        def run(q):
            if q == "bbox": return None
            if q == "count": return None  # its footer alone has the answer, as ours; others ask the engine
            if q in ("group", "group 120"):
                c = "split" if q == "group" else "stac:crs"
                t = read([c], read_dictionary=[c]).unify_dictionaries().group_by(c, use_threads=False).aggregate([([], "count_all")])
            elif q == "top 10":
                t = read(["id", "cloud_cover"])
                t = t.take(pc.select_k_unstable(t, 10, [("cloud_cover", "descending")]))
            else:
                t = read(["internal:offset", "internal:size"], filters=f[q])
                s = pc.binary_join_element_wise(pc.binary_join_element_wise("/vsisubfile/", t[0].cast("string"), ""), t[1].cast("string"), "_")
                t = pa.table({"v": pc.binary_join_element_wise(s, "," + archive, "")})
            return [c.to_pylist for c in t.columns], t.num_rows
    for line in sys.stdin:
        word, q = line.rstrip("\n").split("\t")
        wall, cpu = time.perf_counter(), time.process_time()
        got = run(q)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        if got is None: print("none")
        elif word == "check":
            for row in zip(*[c() for c in got[0]]): print(json.dumps(list(row)))
            print(".")
        else: print(got[1], cpu, wall)
        sys.stdout.flush()


def reader(path):
    import tacoreader
    ds = tacoreader.load(path)
    for line in sys.stdin:
        q = line.rstrip("\n").split("\t")[1]
        wall, cpu = time.perf_counter(), time.process_time()
        n = ds.sql(q).num_rows
        print(n, time.process_time() - cpu, time.perf_counter() - wall)
        sys.stdout.flush()


# --- the sides, alternately ---------------------------------------------------------------------------------------------


class Side:
    def __init__(self, argv, env=None):
        self.p = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, word, q):
        self.p.stdin.write("%s\t%s\n" % (word, q)); self.p.stdin.flush()

    def line(self):
        s = self.p.stdout.readline()
        if not s: sys.exit("sql.py: %s ended" % " ".join(self.p.args[:4]))
        return s.rstrip("\n")

    def time(self, q, word="time"):
        self.ask(word, q)
        s = self.line()
        return None if s == "none" else [float(x) for x in s.split()]

    def rows(self, q):
        self.ask("check", q)
        out = []
        while True:
            s = self.line()
            if s == "none": return None
            if s == ".": return out
            row = json.loads(s)
            out.append(list(row.values()) if isinstance(row, dict) else row)

    def close(self): self.p.stdin.close(); self.p.wait()


def ours(key):
    v = 'SELECT "internal:gdal_vsi" FROM level0'
    t = '"stac:time_start" >= \'2021-01-01\' AND "stac:time_start" < \'2021-07-01\''
    return {"filter 0.1 %": [v + " WHERE cloud_cover > 98.6", "@where cloud_cover > 98.6"], "filter 10 %": [v + " WHERE split = 'val'", "@where split = 'val'"],
            "all paths": [v, "@table"], "time": [v + " WHERE " + t, "@time 2021-01-01/2021-06-30"], "id": [v + " WHERE id = '%s'" % key, "@where id = '%s'" % key],
            "bbox": [v + ' WHERE ST_Intersects(ST_GeomFromWKB("stac:centroid"), ST_MakeEnvelope(%s,%s,%s,%s))' % BOX, "@bbox %s,%s,%s,%s" % BOX],
            "count": ["SELECT count(*) FROM level0"], "group": ["SELECT split, count(*) FROM level0 GROUP BY split"],
            "group 120": ['SELECT "stac:crs", count(*) FROM level0 GROUP BY 1'],
            "top 10": ["SELECT id, cloud_cover FROM level0 ORDER BY cloud_cover DESC NULLS LAST LIMIT 10"]}


MOST = {"filter 0.1 %": 0.9, "all paths": 0.4, "time": 0.6, "id": 0.7, "bbox": 0.3, "group": 1.0, "group 120": 1.0, "top 10": 1.0}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir"); ap.add_argument("python")
    ap.add_argument("--rows", type=int, default=1000000); ap.add_argument("--reps", type=int, default=7)
    ap.add_argument("--only", default=""); ap.add_argument("--part", default="peers,threads,warm")
    a = ap.parse_args()
    only, parts = [x for x in a.only.split(",") if x] or NAMES, a.part.split(",")
    archive = os.path.realpath("%s/flat_%d.tacozip" % (a.dir, a.rows))
    parquet = os.path.realpath("%s/level0-%d.parquet" % (a.dir, a.rows))
    env = dict(os.environ, HOME=os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(a.python))), "home"))
    key, program, wrong, missed = "sample_%08d" % (a.rows // 2), a.dir + "/sql", 0, 0
    queries = ours(key)

    def judge(ok):
        nonlocal missed
        missed += not ok
        return "ok" if ok else "MISS"

    if "peers" in parts:
        mine = {s: Side([program, archive, s]) for s in ("mapped", "file")}
        peers = {e: Side([a.python, os.path.abspath(__file__), "--engine", e, parquet, key, archive], env) for e in ("duckdb", "polars", "polars streaming", "pyarrow")}
        print("%d rows, one thread, CPU ms, medians of %d\n%-4s %-13s %8s %8s %8s %8s  %-18s %8s  %s" % (
            a.rows, a.reps, "", "", "sql", "by fread", "select", "by fread", "best peer", "", "ratio (most)"))
        for q in [x for x in NAMES if x in only]:
            look = (lambda rows: sorted(r[-1] for r in rows)) if q == "top 10" else sorted
            want = look(mine["mapped"].rows(queries[q][0]))
            others = [(s + " select", mine[s].rows(x)) for s in mine for x in queries[q][1:]] + [(e, p.rows(q)) for e, p in peers.items()]
            for name, rows in others:
                if rows is not None and look(rows) != want:
                    wrong += 1
                    print("FAIL %s: %s answers otherwise" % (q, name))
            runs = [(s, x, []) for s in mine for x in queries[q]]
            theirs = {e: [] for e, p in peers.items() if dict(others)[e] is not None}
            for k in range(a.reps + 1):  # the first is not counted
                for s, x, got in runs: got.append(mine[s].time(x)[1])
                for e in theirs: theirs[e].append(peers[e].time(q)[1])
            med = lambda v: 1e3 * statistics.median(v[1:])
            best = min(theirs, key=lambda e: med(theirs[e]))
            us = {(s, x[0] == "@"): med(got) for s, x, got in runs}
            worst = max(min(us[s, kind] for s in mine) for kind in (False, True) if ("mapped", kind) in us)
            ratio = worst / med(theirs[best])
            shown = ["%8.2f" % us[k] if k in us else "        " for k in (("mapped", False), ("file", False), ("mapped", True), ("file", True))]
            print("%-4s %-13s %s  %-18s %8.2f  %5.2f%s" % (judge(ratio <= MOST[q]) if q in MOST else "", q, " ".join(shown), best, med(theirs[best]), ratio,
                  " (%.1f)" % MOST[q] if q in MOST else ""), flush=True)
        for s in list(mine.values()) + list(peers.values()): s.close()
    if "threads" in parts:
        one, two, ideal = [Side([program, archive, "mapped"] + x) for x in ([], ["2"], ["=2"])]
        reps = 5 * a.reps  # a few ms each
        print("two threads against one on an open dataset, medians of %d: CPU ms of one and of two idle processors, as the tasks' own times have it;\n"
              "wall ms of both as this machine ran them; how many times as fast, by the medians of runs that follow each other\n%-4s %-13s %8s %8s %6s %14s %8s %6s" % (
                  reps, "", "", "CPU one", "two", "times", "wall one", "two", "times"))
        for q in [x for x in ("filter 0.1 %", "filter 10 %", "all paths", "bbox") if x in only]:
            for text in queries[q]:
                want, got = one.rows(text), [[], [], []]
                if any(side.rows(text) != want for side in (two, ideal)):
                    wrong += 1
                    print("FAIL %s: threads answer otherwise" % q)
                for k in range(reps + 1):
                    for side, g in zip((one, ideal, two), got): g.append(side.time(text, "warm"))
                med = lambda g, i: 1e3 * statistics.median(x[i] for x in g[1:])
                times = [statistics.median(x[i] / y[2] for x, y in zip(got[0][1:], g[1:])) for i, g in ((1, got[1]), (2, got[2]))]
                print("%-4s %-13s %8.2f %8.2f %6.2f (1.7) %8.2f %8.2f %6.2f  %s" % (judge(times[0] >= 1.7), q, med(got[0], 1), med(got[1], 2), times[0],
                      med(got[0], 2), med(got[2], 2), times[1], "select" if text[0] == "@" else "sql"), flush=True)
        for side in (one, two, ideal): side.close()
    if "warm" in parts:
        print("a dataset that stays open, wall ms, medians of %d\n%-4s %-13s %8s %8s  %s" % (a.reps, "", "", "taco", "reader", "ratio (1.0)"))
        for rows in (100000, a.rows):
            path = os.path.realpath("%s/flat_%d.tacozip" % (a.dir, rows))
            us, them = Side([program, path, "mapped"]), Side([a.python, os.path.abspath(__file__), "--reader", path], env)
            got = [[], []]
            for k in range(a.reps + 2):
                got[0].append(us.time('SELECT "internal:gdal_vsi" FROM l0 WHERE "l0:cloud_cover" > 98.6', "warm"))
                got[1].append(them.time('SELECT "l0:internal:gdal_vsi" FROM l0 WHERE "l0:cloud_cover" > 98.6'))
            if got[0][0][0] != got[1][0][0]:
                wrong += 1
                print("FAIL %d rows: %d and %d" % (rows, got[0][0][0], got[1][0][0]))
            med = [1e3 * statistics.median(x[2] for x in g[2:]) for g in got]
            print("%-4s %-13d %8.2f %8.2f  %5.2f" % (judge(med[0] <= med[1]), rows, med[0], med[1], med[0] / med[1]), flush=True)
            us.close(); them.close()
    print("%d answers differ, %d targets missed" % (wrong, missed))
    return 1 if wrong else 2 if missed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]: engine(*sys.argv[2:])
    elif sys.argv[1:2] == ["--reader"]: reader(sys.argv[2])
    else: sys.exit(main())
