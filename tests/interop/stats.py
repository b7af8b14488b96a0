#!/usr/bin/env python3
"""stats.py TACO STATS.ORACLE.JSON - `taco stats` on the worked examples of the June 2025 draft, written by pyarrow.

Compares with the float64 answers of the oracle rounded to float32, and with NumPy on random rows with nulls, NaN and
infinities. Needs numpy and pyarrow. The last line is "N passed, N failed"."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as e:
    print(f"SKIPPED {__file__}: {e}\n0 passed, 0 failed")
    sys.exit(0)

taco = os.path.abspath(sys.argv[1])
passed = failed = 0
NAMES = ["min", "max", "mean", "std", "p25", "p50", "p75", "p95"]


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def dataset(directory, stats, shapes, column="internal:stats", value=pa.float32()):
    """A FOLDER dataset of one level."""
    os.makedirs(f"{directory}/METADATA", exist_ok=True)
    os.makedirs(f"{directory}/DATA", exist_ok=True)
    n = len(stats)
    columns = {"id": [f"s{i}" for i in range(n)], "type": ["FILE"] * n,
               column: pa.array(stats, pa.list_(pa.list_(value)))}
    if shapes is not None:
        columns["stac:tensor_shape"] = pa.array(shapes, pa.list_(pa.int64()))
    pq.write_table(pa.table(columns), f"{directory}/METADATA/level0.parquet", row_group_size=7)
    with open(f"{directory}/COLLECTION.json", "w", encoding="utf-8") as f:
        json.dump({"id": "made", "dataset_version": "1", "description": "", "tasks": [],
                   "taco:pit_schema": {"root": {"n": n, "type": "FILE"}, "hierarchy": {}}}, f)
    return directory


def run(*arguments):
    done = subprocess.run([taco, "stats", *arguments, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def close(got, want):
    """To one step of float32: the inputs of the examples are float64, what a file holds is float32."""
    got, want = np.array(got, np.float32), np.array(want, np.float64)
    return got.shape == want.shape and np.allclose(got, want, rtol=3e-7, atol=0, equal_nan=True)


def examples(directory, oracle):
    for name, e in oracle["examples"].items():
        path = dataset(f"{directory}/{name}", e["stats"], e["tensor_shape"])
        got = run(path)
        check(f"{name}: runs", isinstance(got, dict), got)
        for key, want in e["expected"].items():
            if key == "weights":
                check(f"{name}: weight", got["pixels"] == sum(want))
            else:
                check(f"{name}: {key}", close(got[key], want), f"{got[key]} {want}")
        for key, want in e["reader_float32"].items():
            if key == "wrong_kind":
                family = "continuous" if "categorical" in e["expected"] else "categorical"
                check(f"{name}: wrong family", "were requested" in run(path, "--family", family))
            else:
                check(f"{name}: the reader's {key}", close(got[key], want), f"{got[key]} {want}")


def random_rows(directory):
    random = np.random.default_rng(11)
    for bands, values in (1, 9), (3, 9), (2, 4), (1, 1):
        stats = random.normal(100, 30, (50, bands, values)).astype(np.float32)
        stats[:, 0, 0] = np.where(np.arange(50) == 20, -np.inf, stats[:, 0, 0])
        if values == 9:
            stats[:, -1, 5] = np.where(np.arange(50) == 30, np.nan, stats[:, -1, 5])
        shapes = [[bands, int(h), int(w)] for h, w in random.integers(1, 5000, (50, 2))]
        shapes[3], shapes[4] = None, [7]
        keep = random.random(50) > 0.2
        rows = [s.tolist() if k else None for s, k in zip(stats, keep)]
        path = dataset(f"{directory}/r{bands}_{values}", rows, shapes, "geotiff:stats", pa.float64())
        got = run(path, "--column", "geotiff:stats")
        weighted = run(path, "--weighted-percentiles")
        w = np.array([float(s[-2] * s[-1]) if s and len(s) > 1 else 1.0 for s in shapes])[keep]
        s = stats[keep].astype(np.float64)
        check("rows", got["rows"] == 50 and got["used"] == keep.sum() and got["pixels"] == w.sum())
        if values != 9:
            want = (s * w[:, None, None]).sum(0) / w.sum()
            check("categorical", all(close([[unword(x) for x in y] for y in got["categorical"]], want) for _ in "x"),
                  f"{got['categorical']} {want}")
            continue
        mean = np.average(s[:, :, 2], axis=0, weights=w)
        want = {"min": s[:, :, 0].min(0), "max": s[:, :, 1].max(0), "mean": mean,
                "std": np.sqrt((((w - 1)[:, None] * s[:, :, 3]**2).sum(0) + (w[:, None] * (s[:, :, 2] - mean)**2).sum(0)) /
                               (w.sum() - 1))}
        for i, name in enumerate(NAMES[4:]):
            want[name] = s[:, :, 5 + i].mean(0)
            check(f"weighted {name}", close([unword(x) for x in weighted[name]], np.average(s[:, :, 5 + i], axis=0, weights=w)))
        for name in NAMES:
            check(f"{bands} bands: {name}", close([unword(x) for x in got[name]], want[name]), f"{got[name]} {want[name]}")


def unword(x):
    return float(x) if isinstance(x, str) else x


with tempfile.TemporaryDirectory() as scratch:
    with open(sys.argv[2], encoding="utf-8") as f:
        examples(scratch, json.load(f))
    random_rows(scratch)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
