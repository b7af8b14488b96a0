#!/usr/bin/env python3
"""scale.py TACO DIR ROWS... [--reps 3] - queries on level tables of so many rows, beside DuckDB on the same file.

Run with the Python of the reference environment. DIR gets a FOLDER dataset for each number of rows, once (27 bytes a row on disk);
it has no payloads, which no query reads. A line a query: wall seconds and peak memory of the whole process, the seconds per row
beside those of the first ROWS, and the same of DuckDB with as many threads, its import and connection not counted, with the
table in memory neither here nor there. Both write the same CSV, which is compared. Exit status 1 when it differs."""
import argparse, json, os, statistics, subprocess, sys, time

COLLECTION = {"id": "scale", "dataset_version": "1.0.0", "description": "rows", "licenses": ["CC0-1.0"], "providers": [{"name": "bench", "roles": ["producer"]}],
              "tasks": ["regression"], "taco_version": "2.0.0", "title": "rows", "keywords": [],
              "extent": {"spatial": [-180, -90, 180, 90], "temporal": ["2020-01-01T00:00:00Z", "2025-01-01T00:00:00Z"]}}
QUERIES = (("a filter that leaves a tenth", ["--where", "split = 'val'", "--select", "id"], "SELECT id FROM t WHERE split = 'val'"),
           ("a filter that leaves half", ["--where", "cloud_cover < 50", "--select", "id,cloud_cover"], "SELECT id, cloud_cover FROM t WHERE cloud_cover < 50"),
           ("groups", ["--sql", "SELECT split, count(*) AS n, max(cloud_cover) AS most FROM data GROUP BY split ORDER BY split"],
            "SELECT split, count(*) AS n, max(cloud_cover) AS most FROM t GROUP BY split ORDER BY split"))
DUCKDB = """import duckdb, sys, time
path, query, out, told = sys.argv[1:]
c = duckdb.connect(config={"threads": 2}); c.execute("SET enable_progress_bar = false"); start = time.monotonic()
c.execute("COPY (%s) TO '%s' (FORMAT csv, HEADER)" % (query.replace("FROM t", "FROM read_parquet('%s')" % path), out))
open(told, "w").write(str(time.monotonic() - start))
"""


def make(path, rows):
    """Row groups of 65,536 rows, ZSTD, as the reference writes level tables."""
    import numpy as np, pyarrow as pa, pyarrow.parquet as pq
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../shared/tools"))
    from make_big import fixed_strings, str_array, wkb_points
    os.makedirs(path + "/METADATA"); os.makedirs(path + "/DATA")
    types, splits = pa.array(["FILE"]), pa.array(["train", "val", "test"])
    rng, writer, n = np.random.default_rng(7), None, 65536
    for first in range(0, rows, n):
        n = min(n, rows - first)
        at = np.arange(first, first + n, dtype=np.int64)
        t = pa.table({"id": str_array(fixed_strings("sample_", at, 9)),
                      "type": pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), types).cast(pa.string()),
                      "stac:centroid": wkb_points(np.round(rng.uniform(-180, 180, n), 3), np.round(rng.uniform(-80, 80, n), 3)),
                      "cloud_cover": np.round(rng.uniform(0, 100, n), 1),
                      "split": pa.DictionaryArray.from_arrays(np.searchsorted([0.8, 0.9], rng.random(n)).astype(np.int32), splits).cast(pa.string()),
                      "internal:current_id": at, "internal:parent_id": at})
        writer = writer or pq.ParquetWriter(path + "/METADATA/level0.parquet", t.schema, compression="zstd")
        writer.write_table(t, row_group_size=65536)
    writer.close()
    with open(path + "/COLLECTION.json", "w") as f:
        json.dump(dict(COLLECTION, **{"taco:pit_schema": {"root": {"n": rows, "type": "FILE"}, "hierarchy": {}},
                                      "taco:field_schema": {"level0": [[n, str(t.schema.field(n).type)] for n in t.column_names]}}), f)


def peak(pid):
    """Kilobytes; the maximum that wait4 tells has what the process was before exec, too."""
    try:
        with open("/proc/%s/status" % pid) as f:
            return max([int(x.split()[1]) for x in f if x.startswith("VmHWM")] or [0])
    except OSError:
        return 0


def timed(argv):
    start, most = time.monotonic(), 0
    p = subprocess.Popen(argv)
    while p.poll() is None:
        most = max(most, peak(p.pid)); time.sleep(0.002)
    if p.returncode:
        sys.exit("scale.py: failed: %s" % " ".join(argv)[:300])
    return time.monotonic() - start, most


def lines(path):
    """The CSV in chunks, without the ends of lines of either writer."""
    with open(path, "rb") as f:
        while chunk := f.read(1 << 24):
            yield chunk.replace(b"\r", b"").replace(b'"', b"")


def same(a, b):
    import hashlib
    sums = []
    for p in (a, b):
        h = hashlib.blake2b()
        for chunk in lines(p):
            h.update(chunk)
        sums.append(h.digest())
    return sums[0] == sums[1]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("taco"); ap.add_argument("dir"); ap.add_argument("rows", type=int, nargs="+"); ap.add_argument("--reps", type=int, default=3)
    a = ap.parse_args()
    ok, base = True, {}
    print("| query | rows | s | MB | per row, beside the first | DuckDB s | MB |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for rows in a.rows:
        path = "%s/rows_%d" % (a.dir, rows)
        if not os.path.exists(path):
            make(path + ".part", rows); os.rename(path + ".part", path)
        outs = a.dir + "/ours.csv", a.dir + "/theirs.csv"
        for name, argv, sql in QUERIES:
            own, peer = [], []
            for rep in range(a.reps):
                own.append(timed([a.taco, "query", path] + argv + ["--format", "csv", "-o", outs[0], "--overwrite", "--threads", "2", "--quiet"]))
                kb = timed([sys.executable, "-c", DUCKDB, path + "/METADATA/level0.parquet", sql, outs[1], a.dir + "/told"])[1]
                with open(a.dir + "/told") as f:
                    peer.append((float(f.read()), kb))
            equal = same(*outs)
            ok = ok and equal
            s, t = (statistics.median(x[0] for x in side) for side in (own, peer))
            base.setdefault(name, s / rows)
            print("| %s | %s | %.2f | %d | %.2f | %.2f | %d |%s" % (name, format(rows, ","), s, max(x[1] for x in own) // 1024, s / rows / base[name], t,
                                                                  max(x[1] for x in peer) // 1024, "" if equal else " ROWS DIFFER"), flush=True)
    sys.exit(not ok)


if __name__ == "__main__":
    main()
