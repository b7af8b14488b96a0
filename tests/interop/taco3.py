#!/usr/bin/env python3
"""taco3.py TACO [N] [SEED] - random TACO 3 datasets, made on the spot by taco-eo, read by it and by taco: rows of `dataset` and of
every level, places, SQL, payloads and validation are the same.

Runs in the environment that ../shared/tools/taco3_env.sh makes. N datasets (60), archives, FOLDERs and catalogues in turn.
The last line is "N passed, N failed"."""
import datetime
import decimal
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from typing import Optional

try:
    import taco as reference
    from pydantic import create_model
except ImportError as e:
    sys.exit(f"{__file__} needs taco-eo[writer] (taco3_env.sh): {e}")

taco = os.path.abspath(sys.argv[1])
passed = failed = 0
WORDS = ["", "a", "beta", "über", "x" * 40, "it's", 'say "hi"', "\u65e5\u672c", "line\nbreak", "@1", "a/b"]
TYPES = {"i": int, "f": float, "s": str, "b": bool, "t": datetime.datetime, "l": list[float], "m": dict[str, int]}


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {name} {detail}")


def run(*arguments):
    p = subprocess.run([taco, *arguments], capture_output=True)
    if p.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {p.stderr.decode()[:300]}")
    return p.stdout


def rows(*arguments):
    return [json.loads(line) for line in run(*arguments, "--format", "ndjson").decode().split("\n")[:-1]]


def value(r, kind):
    if kind == "i":
        return r.choice([0, -1, 2**63 - 1, -2**63, r.randrange(-1000, 1000)])
    if kind == "f":
        return r.choice([0.0, -0.0, 1e300, math.inf, r.uniform(-5, 5)])
    if kind == "s":
        return r.choice(WORDS)
    if kind == "b":
        return r.random() < 0.5
    if kind == "t":
        return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=r.randrange(-10**15, 2 * 10**15))
    if kind == "l":
        return [r.uniform(-1, 1) for _ in range(r.randrange(4))]
    return {k: r.randrange(9) for k in r.sample("abcd", r.randrange(4))}


def plain(v):
    """A value of pyarrow as taco prints it in JSON."""
    if isinstance(v, float) and not math.isfinite(v):
        return "NaN" if v != v else "Infinity" if v > 0 else "-Infinity"
    if isinstance(v, datetime.datetime):
        utc = v.tzinfo is not None
        return v.replace(tzinfo=None).isoformat(timespec="microseconds") + ("Z" if utc else "")
    if isinstance(v, bytes):
        return v.hex()
    if isinstance(v, decimal.Decimal):
        return int(v) if v == v.to_integral_value() else str(v)
    if isinstance(v, tuple):
        return [plain(x) for x in v]
    if isinstance(v, list):
        return [plain(x) for x in v]
    return v


def differ(want, got):
    """The first difference of two lists of rows; None if there is none. Columns that only taco adds do not count."""
    if len(want) != len(got):
        return f"{len(want)} rows, taco has {len(got)}"
    for i, (w, g) in enumerate(zip(want, got)):
        w = {k: plain(v) for k, v in w.items() if k not in ("taco:location", "cozip:location")}
        g = {k: v for k, v in g.items() if k != "internal:gdal_vsi"}
        if w != g:
            bad = next(k for k in list(w) + list(g) if w.get(k, g) != g.get(k, w))
            return f"row {i}, {bad}: {w.get(bad, 'nothing')!r}, taco has {g.get(bad, 'nothing')!r}"
    return None


class Made:
    """A random contract: folders, files, fields of levels."""

    def __init__(self, r):
        self.r = r
        folders = [""]
        for _ in range(r.randrange(4)):
            folders.append((r.choice(folders) + f"/f{len(folders)}").lstrip("/"))
        self.files = []
        for folder in folders:
            for i in range(r.randrange(1, 4) if folder == "" or r.random() < 0.8 else 1):
                name = f"img{i}_*[1,{r.randrange(1, 13)}].tif" if r.random() < 0.3 else f"file{i}.{r.choice(['bin', 'tif'])}"
                self.files.append(f"{folder}/{name}".lstrip("/"))
        levels = ["sample", "children"] + ["children/" + f for f in folders[1:]]
        self.models = {}
        for level in levels:
            if r.random() < 0.7:
                kinds = {k + str(i): k for i, k in enumerate(r.choices(list(TYPES), k=r.randrange(1, 5)))}
                optional = {n: r.random() < 0.5 for n in kinds}
                fields = {n: (Optional[TYPES[k]] if optional[n] else TYPES[k], None if optional[n] else ...) for n, k in kinds.items()}
                self.models[level] = (create_model("G" + str(len(self.models)), **fields), kinds, optional)
        self.levels = levels
        self.contract = reference.Contract(structure=self.files, metadata=[reference.Level(l, **({"g": self.models[l][0]} if l in self.models else {})) for l in levels])

    def metadata(self, level):
        if level not in self.models:
            return None
        model, kinds, optional = self.models[level]
        return reference.Metadata(g=model(**{n: None if optional[n] and self.r.random() < 0.3 else value(self.r, k) for n, k in kinds.items()}))

    def sample(self, i, payloads):
        assets, folders = [], set()
        for path in self.files:
            folder = path.rpartition("/")[0]
            level = "children/" + folder if folder else "children"
            names = [path]
            if "*" in path:
                head, _, rest = path.partition("*[")
                bounds, _, tail = rest.partition("]")
                names = [f"{head}{k}{tail}" for k in range(self.r.randrange(1, int(bounds.split(",")[1]) + 1))]
            for name in names:
                payloads[i, name] = self.r.randbytes(self.r.randrange(1, 60))
                assets.append(reference.Asset(payloads[i, name], path=name, metadata=self.metadata(level)))
            while folder:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        made = []
        for f in sorted(folders):
            above = f.rpartition("/")[0]
            m = self.metadata("children/" + above if above else "children")
            if m:
                made.append(reference.Folder(f, metadata=m))
        return reference.Sample(id=f"s{i}", assets=assets, metadata=self.metadata("sample"), folders=made)


def compare(n, seed, directory):
    r = random.Random(f"{seed}.{n}")
    made = Made(r)
    kind = ["zip", "folder", "catalogue"][n % 3]
    path = os.path.join(directory, f"d{n}" + (".zip" if kind != "folder" else ""))
    collection = reference.Collection(contract=made.contract, id=f"d{n}", description="random", licenses=["MIT"], providers=[{"name": "x"}], tasks=["other"])
    payloads = {}
    options = {"partition_size": 3000} if kind == "catalogue" else {}
    with reference.open_writer(collection, path, row_group_size=r.choice([3, 65536]), **options) as w:
        for i in range(r.randrange(1, 12)):
            w.add(made.sample(i, payloads))
        w.run()
    if kind == "catalogue":
        parts = sorted(os.path.join(directory, f) for f in os.listdir(directory) if f.startswith(f"d{n}") and f.endswith(".zip"))
        if not os.path.isdir(os.path.join(directory, ".tacocat")) and len(parts) > 1:
            reference.consolidate(parts, directory, overwrite=True)
        path = directory if os.path.isdir(os.path.join(directory, ".tacocat")) else parts[0]
    name = f"{n} {kind} {made.files}"
    dataset = reference.open_dataset(path)
    want = dataset.read().to_pylist()
    bad = differ(want, rows("query", path))
    check(name, not bad, bad)
    for level in made.levels:
        bad = differ(dataset.sql(f'SELECT * FROM "{level}"').to_pylist(), rows("query", path, "--table", level))
        check(f"{name}: {level}", not bad, bad)
    for sql in (f'SELECT count(*) AS n, max("internal:relative_path") AS m FROM "{r.choice(made.levels)}"',
                'SELECT * FROM dataset WHERE "taco:sample_index" % 2 = 1 ORDER BY id',
                'SELECT s.id AS id, count(*) AS n FROM sample s JOIN children c ON c."internal:parent_id" = s."internal:current_id" GROUP BY s.id ORDER BY s.id'):
        bad = differ(dataset.sql(sql).to_pylist(), rows("query", path, "--sql", sql))
        check(f"{name}: {sql}", not bad, bad)
    for (i, file), data in r.sample(sorted(payloads.items()), min(3, len(payloads))):
        check(f"{name}: {i} {file}", run("get", path, f"s{i}/{file}") == data)
    check(f"{name}: valid", json.loads(run("validate", path, "--deep", "--json"))["valid"])


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    with tempfile.TemporaryDirectory() as top:
        for n in range(count):
            directory = os.path.join(os.path.realpath(top), str(n))
            os.mkdir(directory)
            try:
                compare(n, seed, directory)
            except Exception as e:  # what the reference refuses is a fault of this script, too
                check(f"{n}", False, f"{type(e).__name__}: {e}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if passed and not failed else 1)


main()
