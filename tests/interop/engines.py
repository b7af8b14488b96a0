"""engines.py duckdb|sqlite MODULE TACO SHARED [STEP] - the DuckDB extension in the DuckDB of this Python, or the SQLite module in the
sqlite3 shell, against the rows of the tool: every level of the datasets in SHARED/fixtures/good, lists of datasets, views,
every STEPth Parquet file of SHARED/corpora as a table, filters, projections; what is read, counted by damage; errors; bad files.

The tool's own rows are compared with pyarrow's in arrow.py and check_taco.py. The seed of the random queries is fixed. The
last line says how many comparisons passed; the exit status is 0 when none failed.
"""
import collections
import glob
import importlib.util
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc
import pyarrow.parquet as pq

from compare import has, one, tables_differ

ENGINE, MODULE, TACO, SHARED = sys.argv[1:5]
STEP = int(sys.argv[5]) if len(sys.argv) > 5 else 1
GOOD = os.path.join(SHARED, "fixtures/good")
R = random.Random(5)
passed = collections.Counter()
listed = collections.Counter()
failed = []


def check(what, name, difference):
    if difference is None:
        passed[what] += 1
    else:
        failed.append(f"{what}: {name}: {difference}")


def same(a, b):
    return None if a == b else f"{str(a)[:300]}, {str(b)[:300]} wanted"


def lit(text):
    return "'" + str(text).replace("'", "''") + "'"


def q(name):
    return '"' + name.replace('"', '""') + '"'


# ---- what the tool says ----

def tool(*args):
    out = subprocess.run([TACO, "query", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if out.returncode:
        raise OSError(out.stderr.decode(errors="replace").strip())
    return out.stdout


def at(level):
    return ["--table", f"level{level}", "--level", str(level)]


def lines_of(text):
    """Lines end with \\n: str.splitlines would cut at others, too."""
    return text.split("\n")[:-1]


def rows(paths, level, *args):
    with pa.ipc.open_stream(io.BytesIO(tool(*paths, *at(level), *args, "--format", "arrow"))) as reader:
        return reader.read_all()


def info(paths):
    out = subprocess.run([TACO, "info", *paths, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


def datasets():
    """(name, paths) of everything that opens."""
    found = []
    for path in sorted(glob.glob(os.path.join(GOOD, "**"), recursive=True, include_hidden=True)):
        directory = os.path.isdir(path) and (os.path.exists(os.path.join(path, "COLLECTION.json")))
        if path.endswith((".tacozip", ".zip", "__TACOCAT__")) or directory:
            found.append((os.path.relpath(path, GOOD), [path]))
    for name, parts in (("concat a b", ["concat_cols/a", "concat_cols/b"]), ("concat a same", ["concat_cols/a", "concat_cols/same"]),
                        ("concat n1 n2", ["concat_cols/n1", "concat_cols/n2"])):
        found.append((name, [os.path.join(GOOD, p + ".tacozip") for p in parts]))
    return found


def corpus(tmp):
    """Parquet files of the corpus as level 0 of a FOLDER: their types are more than the fixtures'."""
    with open(os.path.join(SHARED, "corpora/parquet/manifest.json")) as f:
        entries = json.load(f)
    collection = os.path.join(GOOD, "flat_folder/flat/COLLECTION.json")
    for e in entries[::STEP]:
        if e["class"] != "rows" or e["size"] > 200000:
            continue
        path = os.path.join(tmp, "corpus", e["id"])
        os.makedirs(os.path.join(path, "METADATA"))
        shutil.copy(collection, path)
        os.symlink(os.path.abspath(os.path.join(SHARED, "corpora/parquet/files", e["id"])), os.path.join(path, "METADATA/level0.parquet"))
        yield e["id"], [path]


def value_of(column, k):
    """A literal of a value that stands in a column, for SQL and for a predicate alike; None where there is none."""
    t = column.type
    column = column.slice(0, 2000).drop_null()
    if not len(column) or (pa.types.is_timestamp(t) and t.unit == "ns"):  # Python has no nanoseconds
        return None
    v = column[k % len(column)].as_py()
    if pa.types.is_string(t):
        return lit(v) if "\0" not in v else None
    if pa.types.is_boolean(t):
        return "true" if v else "false"
    if pa.types.is_integer(t):
        return str(v)
    if pa.types.is_date(t):
        return f"DATE '{v}'" if v.year >= 1000 else None
    if pa.types.is_timestamp(t) and not t.tz and v.year >= 1000:
        return f"TIMESTAMP '{v.strftime('%Y-%m-%d %H:%M:%S.%f')}'"
    return None


# ---- what is read: chunks whose damage makes a query fail ----

class Damage:
    """A dataset of 8 row groups; touched(run) is the set of (row group, column) that run(path) cannot do without."""

    def __init__(self, tmp):
        self.source = os.path.join(GOOD, "many_rg/many_rg.tacozip")
        self.path = os.path.join(tmp, "damaged.tacozip")
        with open(self.source, "rb") as f:
            self.bytes = f.read()
        with zipfile.ZipFile(self.source) as z:
            level = z.read("METADATA/level0.parquet")
        begin = self.bytes.index(level)
        meta = pq.ParquetFile(io.BytesIO(level)).metadata
        self.groups = meta.num_row_groups
        self.chunks = []
        for g in range(meta.num_row_groups):
            for c in range(meta.num_columns):
                chunk = meta.row_group(g).column(c)
                at = min(x for x in (chunk.dictionary_page_offset, chunk.data_page_offset) if x)
                self.chunks.append((g, chunk.path_in_schema, begin + at, chunk.total_compressed_size))

    def touched(self, run):
        found = set()
        for g, column, at, size in self.chunks:
            data = bytearray(self.bytes)
            data[at:at + size] = b"\xff" * size
            with open(self.path, "wb") as f:
                f.write(data)
            if not run(self.path):
                found.add((g, column))
        with open(self.path, "wb") as f:
            f.write(self.bytes)
        if not run(self.path):
            raise ValueError("the query fails without damage, too")
        return found


def reads(damage, all_columns, few_columns, filtered, filtered_count):
    """Four functions of a path. A projection reads its columns alone, a filter its row groups alone."""
    everything = damage.touched(all_columns)
    check("reads", "all columns", same(len(everything), len(damage.chunks)))
    few = damage.touched(few_columns)  # id tells padding
    check("reads", "two columns", same(few, {(g, c) for g in range(damage.groups) for c in ("id", "num")}))
    some = damage.touched(filtered)
    check("reads", "one row group of all columns", same({g for g, c in some if c != "id"}, {2}))
    counted = damage.touched(filtered_count)
    check("reads", "one row group to count", same(counted - {(2, "id"), (2, "val")}, set()))  # the condition's, and one to count
    print(f"{len(everything)} chunks read for everything, {len(few)} for two columns, {len(some)} with a filter, "
          f"{len(counted)} to count with it")


# ---- DuckDB ----

def nearest(t):
    """HALF as FLOAT, at any depth."""
    if pa.types.is_float16(t):
        return pa.float32()
    if pa.types.is_map(t):
        return pa.map_(nearest(t.key_type), nearest(t.item_type))
    if pa.types.is_list(t):
        return pa.list_(pa.field(t.value_field.name, nearest(t.value_type), t.value_field.nullable))
    if pa.types.is_struct(t):
        return pa.struct([pa.field(t.field(i).name, nearest(t.field(i).type), t.field(i).nullable) for i in range(t.num_fields)])
    return t


def duck_expected(table):
    """What DuckDB has no type for comes as its nearest: HALF as FLOAT, decimals of more than 38 digits as DOUBLE."""
    columns = []
    for c in table.columns:
        c = one(c)
        if has(c.type, pa.types.is_float16):
            c = c.cast(nearest(c.type))
        elif pa.types.is_decimal256(c.type):
            c = pa.array([None if v is None else float(v) for v in c.to_pylist()], pa.float64())
        columns.append(c)
    return pa.table(columns, names=table.schema.names) if columns else table


def nested_odd(t):
    """A wide decimal below: compared by its neighbours only."""
    return pa.types.is_nested(t) and has(t, pa.types.is_decimal256)


class Duck:
    def __init__(self):
        import duckdb
        self.version = duckdb.__version__
        self.db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        self.db.execute(f"LOAD {lit(os.path.abspath(MODULE))}")
        self.db.execute("SET TimeZone='UTC'") if self.has_icu() else None

    def has_icu(self):
        try:
            return self.db.execute("SELECT count(*) FROM duckdb_settings() WHERE name = 'TimeZone'").fetchone()[0] > 0
        except Exception:
            return False

    def table(self, sql):
        with warnings.catch_warnings():  # versions name this differently, and advise against the other
            warnings.simplefilter("ignore")
            rows = self.db.execute(sql)
            return rows.to_arrow_table() if hasattr(rows, "to_arrow_table") else rows.fetch_arrow_table()

    def error(self, sql):
        try:
            self.table(sql)
        except Exception as e:
            return str(e)
        return None

    def read(self, paths, level=0, more=""):
        path = lit(paths[0]) if len(paths) == 1 else "[" + ", ".join(lit(p) for p in paths) + "]"
        return f"read_taco({path}, level := {level}{', ' + more if more else ''})"

    def differs(self, sql, wanted):
        try:
            return tables_differ(self.table(sql), wanted)
        except Exception as e:
            return f"{type(e).__name__}: {str(e)[:300]}"

    def level(self, name, paths, level):
        wanted = duck_expected(rows(paths, level))
        keep = [i for i, f in enumerate(wanted.schema) if not nested_odd(f.type)]
        columns = [wanted.schema.field(i).name for i in keep]
        source = self.read(paths, level)
        if len({c.lower() for c in columns}) < len(columns) or "" in columns:
            listed["columns that DuckDB renames, compared by place"] += 1
            got = self.table(f"SELECT * FROM {source}")
            check("duckdb rows", f"{name} {level}", tables_differ(
                pa.table([got.column(i) for i in keep], names=[str(i) for i in keep]) if keep else got.select([]),
                pa.table([wanted.column(i) for i in keep], names=[str(i) for i in keep])))
            return
        if len(keep) == wanted.num_columns:
            check("duckdb rows", f"{name} {level}", self.differs(f"SELECT * FROM {source}", wanted))
        else:
            listed["columns of wide decimals inside of nested ones"] += wanted.num_columns - len(keep)
        check("duckdb count", f"{name} {level}", same(self.db.execute(f"SELECT count(*) FROM {source}").fetchone()[0], wanted.num_rows))
        if not columns:
            return
        some = R.sample(columns, R.randint(1, len(columns)))
        check("duckdb projection", f"{name} {level}: {some}", self.differs(
            f"SELECT {', '.join(q(c) for c in some)} FROM {source}", wanted.select(some)))

    def filters(self, name, paths, level, count):
        wanted = rows(paths, level)
        for k in range(count):
            c = R.choice([c for c in wanted.schema.names if c not in ("internal:gdal_vsi", "internal:source_path", "internal:source_file")])  # these are made
            v = value_of(one(wanted.column(c)), R.randrange(100))
            where = f"{q(c)} {R.choice(['=', '<', '<=', '>', '>=', '<>'])} {v}" if v else f"{q(c)} IS {R.choice(['', 'NOT '])}NULL"
            if R.random() < 0.3 and not self.version.startswith("1.2."):  # which gives the rows of an OR in an order of its own
                where += f" OR {q('id')} = {lit(R.choice(wanted.column('id').to_pylist() or ['']))}"
            some = R.sample(wanted.schema.names, R.randint(1, wanted.num_columns))
            try:
                right = duck_expected(rows(paths, level, "--where", where)).select(some)
            except OSError as e:
                check("duckdb filters", f"{name} {level}: {where}", str(e))
                continue
            select = ", ".join(q(x) for x in some)
            check("duckdb filters", f"{name} {level}: filter {where}", self.differs(
                f"SELECT {select} FROM {self.read(paths, level, 'filter := ' + lit(where))}", right))
            check("duckdb filters", f"{name} {level}: WHERE {where}", self.differs(
                f"SELECT {select} FROM {self.read(paths, level)} WHERE {where}", right))

    def special(self):
        geo = [os.path.join(GOOD, "geo_nested/geo_nested.tacozip")]
        for level in (0, 1):
            for box in ("-80,-20,-60,0", "-180,-90,180,90", "0,0,1,1"):
                check("duckdb bbox", f"{level} {box}", self.differs(f"SELECT * FROM {self.read(geo, level, f'bbox := [{box}]')}",
                                                                   rows(geo, level, f"--bbox={box}")))
            for time in ("2020-01-01/2022-01-01", "2021-06-01"):
                check("duckdb datetime", f"{level} {time}", self.differs(
                    f"SELECT * FROM {self.read(geo, level, f'datetime := {lit(time)}')}", rows(geo, level, "--time", time)))
        for name in ("nested/nested", "deep5/deep5", "geo_nested/geo_nested"):
            path = [os.path.join(GOOD, name + ".tacozip")]
            deepest = len(info(path)["levels"]) - 1
            with pa.ipc.open_stream(io.BytesIO(tool(*path, "--table", f"l{deepest}", "--format", "arrow"))) as reader:
                check("duckdb flat", name, self.differs(f"SELECT * FROM {self.read(path, deepest, 'flat := true')}", reader.read_all()))
            for view in [f"l{level}" for level in range(deepest + 1)] + ["data"]:  # as SQL has them
                with pa.ipc.open_stream(io.BytesIO(tool(*path, "--sql", f"SELECT * FROM {view}", "--format", "arrow"))) as reader:
                    check("duckdb view", f"{name} {view}", self.differs(
                        f"SELECT * FROM read_taco({lit(path[0])}, view := '{view}')", reader.read_all()))
        for view, more in (("l6", ""), ("x", ""), ("l1", ", level := 1"), ("l1", ", filter := 'id = 1'")):
            check("duckdb view", f"{view}{more}", same("read_taco: view" in (self.error(
                f"SELECT * FROM read_taco({lit(path[0])}, view := '{view}'{more})") or ""), True))
        for name in ("multi/.tacocat", "tacocat_binary/__TACOCAT__"):
            catalogue = os.path.join("examples/data", name)
            check(f"duckdb FROM '{name}'", "", self.differs(f"SELECT * FROM {lit(catalogue)}", rows([catalogue], 0)))
        pad = [os.path.join(GOOD, "padded_old/padded_old.tacozip")]
        check("duckdb padding", "", self.differs(f"SELECT * FROM {self.read(pad, 1, 'padding := true')}", rows(pad, 1, "--show-padding")))
        a, b = (os.path.join(GOOD, f"concat_cols/{x}.tacozip") for x in "ab")
        wanted = rows([a, b], 0, "--column-mode", "fill_missing")
        read = self.read([a, b], 0, "column_mode := 'fill_missing'")
        check("duckdb fill_missing", "", self.differs(f"SELECT * FROM {read}", wanted))
        check("duckdb array", "", self.differs(f"SELECT * FROM {read.replace('[', 'list_value(').replace(']', ')')}", wanted))
        many = os.path.join(GOOD, "many_rg/many_rg.tacozip")
        whole = rows([many], 0)
        check("duckdb FROM 'x.tacozip'", "", self.differs(f"SELECT * FROM {lit(many)}", whole))
        check("duckdb limit", "", self.differs(f"SELECT * FROM {lit(many)} LIMIT 7 OFFSET 2990", whole.slice(2990, 7)))
        self.db.execute(f"PREPARE p AS SELECT count(*) FROM {lit(many)} WHERE num < $1")
        counts = [self.db.execute(f"EXECUTE p({n})").fetchone()[0] for n in (10, 500, 10)]
        check("duckdb prepared", "", same(counts, [sum(v is not None and v < n for v in whole.column("num").to_pylist()) for n in (10, 500, 10)]))
        check("duckdb self join", "", same(self.db.execute(
            f"SELECT count(*), max(a.num) FROM {lit(many)} a JOIN {lit(many)} b USING (id)").fetchone(),
            (5000, max(v for v in whole.column("num").to_pylist() if v is not None))))
        check("duckdb create", "", self.differs(f"CREATE OR REPLACE TABLE made AS FROM {lit(many)}; SELECT * FROM made", whole))
        nested = os.path.join(GOOD, "types/types.tacozip")
        check("duckdb struct field", "", self.differs(f"SELECT t_struct.b AS b FROM {lit(nested)}", pa.table(
            [pc.struct_field(one(rows([nested], 0).column("t_struct")), "b")], names=["b"])))

    def types(self):
        got = dict((r[0], r[1]) for r in self.db.execute(
            f"DESCRIBE SELECT * FROM {lit(os.path.join(GOOD, 'types/types.tacozip'))}").fetchall())
        wanted = {"t_bool": "BOOLEAN", "t_int8": "TINYINT", "t_uint64": "UBIGINT", "t_float32": "FLOAT", "t_float64": "DOUBLE",
                  "t_string": "VARCHAR", "t_binary": "BLOB", "t_fsb": "BLOB", "t_date": "DATE", "t_ts_ms": "TIMESTAMP_MS",
                  "t_ts_us": "TIMESTAMP", "t_ts_ns": "TIMESTAMP_NS", "t_ts_us_utc": "TIMESTAMP WITH TIME ZONE", "t_time": "TIME",
                  "t_list_list_f32": "FLOAT[][]", "t_struct": "STRUCT(a INTEGER, b VARCHAR)",
                  "t_list_struct": "STRUCT(k VARCHAR, v DOUBLE)[]", "t_dec9": "DECIMAL(9,2)", "t_dec38": "DECIMAL(38,4)"}
        check("duckdb types", "", same({k: got.get(k) for k in wanted}, wanted))

    def joins(self):
        """Outer joins of the module with itself and with a copy in SQLite: as the copies. Before 3.51 SQLite offers conditions
        about the left table in ON of a LEFT JOIN as constraints, by which it would lose rows."""
        print(f"SQLite {self.version}: joins")
        path = os.path.join(GOOD, "geo_stac/geo_stac.tacozip")
        before = self.declare([path], 0) + "CREATE TABLE m AS SELECT rowid AS n, * FROM t;\n"
        kinds = ("JOIN", "LEFT JOIN") + (("RIGHT JOIN", "FULL JOIN") if tuple(map(int, self.version.split("."))) >= (3, 39) else ())
        asked = []
        for kind in kinds:
            for c in ("id", "internal:size", "stac:time_start", "stac:time_end"):
                for test in ("IS NOT NULL", "IS NULL", "= {}", "IS NOT {}", "IS {}", "<> {}", "> {}", "IN ({}, 7)", "LIKE 'a%%'"):
                    for side in "ab":
                        for end in ("", " WHERE b.id IS NULL", " LIMIT 3"):
                            value = test.format(f'(SELECT "{c}" FROM m WHERE "{c}" IS NOT NULL LIMIT 1 OFFSET 1)')
                            asked.append(f'SELECT count(*) FROM (SELECT * FROM %s a {kind} %s b ON a.id = b.id AND {side}."{c}" {value}{end})')
        for left, right in ("tt", "tm", "mt"):
            out, err = self.run(before + "".join(f"{x % (left, right)};\n{x % ('m', 'm')};\n" for x in asked))
            counts = out.split()
            check("sqlite joins", "", err or same(len(counts), 2 * len(asked)))
            for x, ours, theirs in zip(asked, counts[::2], counts[1::2]):
                check("sqlite joins", x % (left, right), same(ours, theirs))

    def errors(self):
        path, geo = (lit(os.path.join(GOOD, f"{x}/{x}.tacozip")) for x in ("flat", "geo_stac"))
        for call, text in ((lit("nope.tacozip"), "nope.tacozip: no archive of that name"),
                           ("42", "read_taco: the first argument is a path, or a list of paths"),
                           ("[]", "read_taco: the first argument is a path, or a list of paths"),
                           ("NULL", "read_taco: the first argument is a path, or a list of paths"),
                           (f"[{path}, NULL]", "read_taco: the first argument is a path, or a list of paths"),
                           (f"{path}, level := 7", "there is no level 7"),
                           (f"{path}, filter := 'id <'", "at column 5: expected a value, found end of text"),
                           (f"{path}, filter := 'ids = 1'", "no column 'ids', the nearest is 'id'"),
                           (f"{path}, bbox := [1, 2]", "read_taco: bbox is a list of four numbers"),
                           (f"{geo}, datetime := 'x'", "time range 'x': at column 1"),
                           (f"{path}, column_mode := 'x'", "read_taco: column_mode is one of"),
                           (f"{path}, lvl := 1", "lvl")):
            first = (self.error(f"SELECT * FROM read_taco({call})") or "no error").splitlines()[0]
            check("duckdb errors", call, None if text in first else f"{first!r}, ...{text!r}... wanted")

    def bad(self, path):
        """Rows or an error of one line; and the process lives."""
        for level in (0, 1):
            text = self.error(f"SELECT * FROM {self.read([path], level)}")
            check("duckdb bad files", path, None if text is None or os.path.basename(path) in text.splitlines()[0] or
                  "read_taco" in text.splitlines()[0] else text)

    def runs(self, sql):
        return lambda path: self.error(sql.replace("?", lit(path))) is None

    def all(self, tmp):
        print(f"DuckDB {self.version}")
        for name, paths in datasets():
            for level in range(len(info(paths)["levels"])):
                self.level(name, paths, level)
        for name, paths in corpus(tmp):
            try:
                rows(paths, 0)
            except OSError as e:
                text = self.error(f"SELECT * FROM {self.read(paths)}") or "no error"
                wanted = str(e).split(": ")[-1]  # a brotli page, ...: the same refusal
                if "INT96" in wanted:  # the tool prints nanoseconds; streams have the unit that holds all values
                    wanted = "no error"
                check("duckdb corpus", name, None if wanted in text else f"{text[:200]}, {wanted} wanted")
                continue
            self.level(name, paths, 0)
        for name, paths in datasets():
            if re.search(r"^(many_rg|types|types_exotic|geo_nested|multi|nested_folder|names)/[^/]*$|concat", name):
                for level in range(len(info(paths)["levels"])):
                    self.filters(name, paths, level, 6)
        self.special()
        self.types()
        self.errors()
        for path in sorted(glob.glob(os.path.join(SHARED, "fixtures/bad/*.tacozip"))):
            self.bad(path)
        reads(Damage(tmp), self.runs("SELECT * FROM read_taco(?)"), self.runs("SELECT id, num FROM read_taco(?)"),
              self.runs("SELECT * FROM read_taco(?, filter := 'id >= ''s01500'' AND id < ''s01600''')"),
              self.runs("SELECT count(*) FROM read_taco(?, filter := 'id >= ''s01500'' AND id < ''s01600''')"))


# ---- SQLite ----

class Lite:
    """Scripts in the sqlite3 shell. Cells come as type:value, bytes in hex: nothing of them is lost."""

    def __init__(self, shell=("sqlite3",), separator='.separator "|" "\\n"\n'):
        self.shell, self.before = shell, f".load {MODULE}\n.mode list\n{separator}"
        self.version = self.run("SELECT sqlite_version();")[0].strip()

    def run(self, script):
        text = self.before + script
        out = subprocess.run(self.shell, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if out.returncode < 0:
            raise OSError(f"sqlite3 died of signal {-out.returncode}")
        return out.stdout.decode(), out.stderr.decode(errors="replace")

    def declare(self, paths, level, more=""):
        return f"CREATE VIRTUAL TABLE t USING taco({', '.join(lit(p) for p in paths)}, level={level}{', ' + more if more else ''});\n"

    def cell(self, c):
        return f"typeof({c})||':'||CASE typeof({c}) WHEN 'text' THEN hex(CAST({c} AS BLOB)) WHEN 'blob' THEN hex({c}) ELSE quote({c}) END"

    def wanted(self, paths, level, *args):
        """Columns of (type, value) as SQLite should have them, from the tool's Arrow and JSON rows."""
        table = rows(paths, level, *args)
        lines = [json.loads(x, object_pairs_hook=list) for x in lines_of(tool(*paths, *at(level), *args, "--format", "ndjson").decode())]
        columns = []
        for i, f in enumerate(table.schema):
            arrow = one(table.column(i)).to_pylist() if pa.types.is_floating(f.type) else None
            columns.append([self.value(f.type, line[i][1], arrow and arrow[k]) for k, line in enumerate(lines)])
        return table.schema.names, columns

    def value(self, t, v, number):
        if v is None:
            return ("null", None)
        if pa.types.is_boolean(t):
            return ("integer", int(v))
        if pa.types.is_integer(t):
            return ("integer", v) if v < 2**63 else ("real", float(v))
        if pa.types.is_floating(t):
            return ("null", None) if number != number else ("real", float(number))
        if pa.types.is_decimal(t):
            return ("real", float(v)) if t.precision <= 15 else ("text", v)
        if (pa.types.is_binary(t) or pa.types.is_fixed_size_binary(t)) and isinstance(v, str):
            return ("blob", v.upper())
        return ("json", v) if pa.types.is_nested(t) else ("text", v)

    def parse(self, cell):
        kind, _, v = cell.partition(":")
        if kind == "null":
            return (kind, None)
        if kind == "integer":
            return (kind, int(v))
        if kind == "real":
            return (kind, float(v))
        return (kind, bytes.fromhex(v).decode(errors="surrogateescape") if kind == "text" else v)

    def differs(self, name, got, columns):
        for k, line in enumerate(got):
            for i, cell in enumerate(line):
                a, b = self.parse(cell), columns[i][k]
                if b[0] == "json":
                    b = ("text", b[1])
                    a = (a[0], json.loads(a[1], object_pairs_hook=list)) if a[0] == "text" else a
                if a != b:
                    return f"row {k}, column {i}: {str(a)[:120]}, {str(b)[:120]} wanted"
        return same(len(got), len(columns[0]) if columns else 0)

    def level(self, name, paths, level, conditions):
        names, columns = self.wanted(paths, level)
        if len(names) > 300:  # the shell's statements are too long for it
            listed["tables of more than 300 columns"] += 1
            return
        script = self.declare(paths, level) + "SELECT name FROM pragma_table_info('t');\n.print =\n"
        out, err = self.run(script)
        real = lines_of(out)[:-1]
        if err or len(real) != len(names):
            check("sqlite rows", f"{name} {level}", err.strip() or f"{len(real)} columns, {len(names)} wanted")
            return
        some = R.sample(range(len(real)), R.randint(1, len(real)))
        tests = self.conditions(real, columns, conditions)
        script = self.declare(paths, level)
        script += f"SELECT {', '.join(self.cell(q(c)) for c in real)} FROM t;\n.print =\n"
        script += f"SELECT {', '.join(self.cell(q(real[i])) for i in some)} FROM t;\n.print =\nSELECT count(*) FROM t;\n.print =\n"
        script += f"CREATE TABLE m AS SELECT * FROM t WHERE 0;\nINSERT INTO m(rowid, {', '.join(q(c) for c in real)}) SELECT rowid, * FROM t;\n"
        for what, condition in tests:
            for table in "tm":
                script += f"SELECT {what.replace('$', table)} FROM {table} {condition};\n.print =\n"
        out, err = self.run(script)
        parts = out.split("=\n")
        if err or len(parts) != 4 + 2 * len(tests):
            check("sqlite rows", f"{name} {level}", err.strip() or f"{len(parts)} results")
            return
        lines = [[c for c in x.split("|")] for x in lines_of(parts[0])]
        check("sqlite rows", f"{name} {level}", self.differs(name, lines, columns))
        lines = [x.split("|") for x in lines_of(parts[1])]
        check("sqlite projection", f"{name} {level}: {some}", self.differs(name, lines, [columns[i] for i in some]))
        check("sqlite count", f"{name} {level}", same(parts[2].strip(), str(len(columns[0]))))
        for k, (what, condition) in enumerate(tests):
            ours, theirs = (lines_of(parts[3 + 2 * k + j]) for j in (0, 1))
            if "LIMIT" not in condition:
                ours, theirs = sorted(ours), sorted(theirs)
            check("sqlite conditions", f"{name} {level}: {what} {condition}", same(ours, theirs))

    def literal(self, columns, i):
        kind, v = R.choice(columns[i] or [("null", None)])
        k = R.randrange(12)
        if k == 0:
            return R.choice(["NULL", "0", "1", "-1.5", "2.5", "'abc'", "''", "x'00'", "9e999", "1e19", "-9223372036854775808",
                             "9007199254740993", "'10'", "'2020'", "'2020-02-31'", "'2020-01-01T00:00'", "'9999-12-31'"])
        if kind == "integer":
            return [str(v), f"{v}.5" if abs(v) < 1e15 else str(v), f"{v}.0" if abs(v) < 1e15 else str(v), f"'{v}'", str(v)][k % 5]
        if kind == "real":
            return {"inf": "9e999", "-inf": "-9e999"}.get(str(v), repr(v))
        if kind == "text" and "\0" not in v:
            return lit(v if k < 8 else v[:10] if k < 10 else v[:R.randint(0, len(v))])
        return "x'" + v + "'" if kind == "blob" else "NULL"

    def term(self, names, columns):
        i = R.randrange(len(names))
        c, k = q(names[i]), R.randrange(12)
        if k == 0:
            return f"{c} IS NULL"
        if k == 1:
            return f"{c} IS NOT NULL"
        if k == 2:
            return f"{c} IN ({', '.join(self.literal(columns, i) for _ in range(R.randint(1, 4)))})"
        if k == 3:
            return f"{c} BETWEEN {self.literal(columns, i)} AND {self.literal(columns, i)}"
        if k == 4:
            return f"{c} IS {self.literal(columns, i)}"
        if k == 5:
            return f"{c} = {self.literal(columns, i)} COLLATE NOCASE"
        return f"{c} {R.choice(['=', '<', '<=', '>', '>=', '<>', '=='])} {self.literal(columns, i)}"

    def conditions(self, names, columns, n):
        """(what, WHERE ...): the same on the virtual table and on a copy of its rows."""
        found = []
        if not names or not columns[0]:
            return found
        for _ in range(n):
            where = f" {R.choice(['AND', 'AND', 'OR'])} ".join(self.term(names, columns) for _ in range(R.choice([1, 1, 2, 3])))
            k = R.randrange(6)
            i = R.randrange(len(names))
            what = "rowid" if k else f"rowid, {self.cell(q(names[i]))}"
            end = ""
            if k == 1 and " OR " not in where:  # which rows a LIMIT leaves is open where OR puts scans together
                end = f" LIMIT {R.randint(0, 5)}" + (f" OFFSET {R.randint(0, 3)}" if R.random() < 0.5 else "")
            elif k == 2:
                end = f" ORDER BY {q(names[i])}, rowid LIMIT {R.randint(0, 5)}"
            found.append((what, f"WHERE {where}{end}"))
        found.append(("count(*), min(rowid), max(rowid)", ""))
        found.append(("rowid", "LIMIT 3 OFFSET 1"))
        return found

    def special(self):
        many = os.path.join(GOOD, "many_rg/many_rg.tacozip")
        geo = os.path.join(GOOD, "geo_nested/geo_nested.tacozip")
        for option, args in ((f"bbox='-80,-20,-60,0'", ["--bbox=-80,-20,-60,0"]), ("datetime='2020-01-01/2022-01-01'", ["--time", "2020-01-01/2022-01-01"]),
                             ("filter='id <> ''x'' -- all'", ["--where", "id <> 'x'"])):
            names, columns = self.wanted([geo], 1, *args)
            out, err = self.run(self.declare([geo], 1, option) + f"SELECT {', '.join(self.cell(q(c)) for c in names)} FROM t WHERE id >= '';")
            check("sqlite options", option, err or self.differs(option, [x.split("|") for x in lines_of(out)], columns))
        pad = os.path.join(GOOD, "padded_old/padded_old.tacozip")
        names, columns = self.wanted([pad], 1, "--show-padding")
        out, err = self.run(self.declare([pad], 1, "padding=true") + "SELECT count(*), count(DISTINCT rowid) FROM t;")
        check("sqlite padding", "", same(out.strip(), f"{len(columns[0])}|{len(columns[0])}"))
        a, b = (os.path.join(GOOD, f"concat_cols/{x}.tacozip") for x in "ab")
        names, columns = self.wanted([a, b], 0, "--column-mode", "fill_missing")
        out, err = self.run(self.declare([a, b], 0, "column_mode=fill_missing") + f"SELECT {', '.join(self.cell(q(c)) for c in names)} FROM t;")
        check("sqlite fill_missing", "", err or self.differs("", [x.split("|") for x in lines_of(out)], columns))
        deep = os.path.join(GOOD, "deep5/deep5.tacozip")
        wanted = [json.loads(x) for x in tool(deep, "--table", "l5", "--format", "ndjson").decode().splitlines()]
        out, err = self.run(self.declare([deep], 5, "flat=1") + "SELECT \"l0:id\", \"l5:id\", \"internal:gdal_vsi\" FROM t WHERE \"l5:id\" > '' AND \"l0:id\" >= '';")
        check("sqlite flat", "", err or same(lines_of(out), [f"{x['l0:id']}|{x['l5:id']}|{x['internal:gdal_vsi']}" for x in wanted]))
        lines = [json.loads(x) for x in tool(many, "--where", "num < 3", "--format", "ndjson").decode().splitlines()]
        out, err = self.run(f"SELECT id, type, vsi, \"row\" FROM taco_read({lit(many)}, 0, 'num < 3');")
        got = [x.split("|", 3) for x in lines_of(out)]
        check("sqlite taco_read", "", err or same([(x[0], x[1], x[2], json.loads(x[3])) for x in got],
                                                  [(x["id"], x["type"], x["internal:gdal_vsi"], x) for x in lines]))
        out, err = self.run(f"SELECT count(*) FROM taco_read({lit(many)}) WHERE id = 's00001' OR id = 's00007' OR type = 'FOLDER';"
                            f"SELECT count(*) FROM taco_read WHERE path = {lit(many)} OR path = {lit(geo)};"
                            f"SELECT count(*) FROM (SELECT {lit(geo)} AS p) JOIN taco_read(p, 1);")
        check("sqlite taco_read", "conditions", err or same(out.split(), ["2", "5004", "12"]))
        out, err = self.run(self.declare([geo], 1) + f"CREATE VIRTUAL TABLE u USING taco({lit(geo)});"
                            'SELECT count(*) FROM u JOIN t ON t."internal:parent_id" = u."internal:current_id";')
        check("sqlite join", "", err or same(out.strip(), "12"))
        out, err = self.run(self.declare([many], 0) + "EXPLAIN QUERY PLAN SELECT id FROM t WHERE id = 's1' AND cat = 'x' LIMIT 3;")
        check("sqlite plan", out, None if re.search(r"=0,=3,L0,", out) else "no =0,=3,L0, in it")
        for sql, count in (("id = CAST(x'ff' AS TEXT)", 0), ("id = CAST(x'733030303031ff' AS TEXT) LIMIT 2", 0),
                           ("id IN (CAST(x'ff' AS TEXT), 's00001')", 1), ("id > CAST(x'ff' AS TEXT) LIMIT 3", 0),
                           ("id < CAST(x'ff' AS TEXT) LIMIT 3", 3), ("id = CAST(x'73303030303100' AS TEXT) LIMIT 2", 0),
                           ("num > -9223372036854775808 LIMIT 2", 2), ("num = 9223372036854775807 LIMIT 2", 0)):
            out, err = self.run(self.declare([many], 0) + f"SELECT count(*) FROM (SELECT * FROM t WHERE {sql});")
            check("sqlite text", sql, err or same(out.strip(), str(count)))
        for encoding in ("UTF-8", "UTF-16le", "UTF-16be"):  # in which texts have another order
            for sql in ("id < 's' || char(0x100)", "id > 's' || char(0x131)", "id BETWEEN 's0' AND 's' || char(0x130)", "id = 's00001'"):
                out, err = self.run(f"PRAGMA encoding='{encoding}';\n" + self.declare([many], 0) + "CREATE TABLE m AS SELECT id FROM t;\n" +
                                    "".join(f"SELECT count(*) FROM {x} WHERE {sql};\n" for x in "tm"))
                counts = out.split()
                check("sqlite text", f"{encoding}: {sql}", err or same(counts[:1], counts[1:]))

    def joins(self):
        """Outer joins of the module with itself and with a copy in SQLite: as the copies. Before 3.51 SQLite offers conditions
        about the left table in ON of a LEFT JOIN as constraints, by which it would lose rows."""
        print(f"SQLite {self.version}: joins")
        path = os.path.join(GOOD, "geo_stac/geo_stac.tacozip")
        before = self.declare([path], 0) + "CREATE TABLE m AS SELECT rowid AS n, * FROM t;\n"
        kinds = ("JOIN", "LEFT JOIN") + (("RIGHT JOIN", "FULL JOIN") if tuple(map(int, self.version.split("."))) >= (3, 39) else ())
        asked = []
        for kind in kinds:
            for c in ("id", "internal:size", "stac:time_start", "stac:time_end"):
                for test in ("IS NOT NULL", "IS NULL", "= {}", "IS NOT {}", "IS {}", "<> {}", "> {}", "IN ({}, 7)", "LIKE 'a%%'"):
                    for side in "ab":
                        for end in ("", " WHERE b.id IS NULL", " LIMIT 3"):
                            value = test.format(f'(SELECT "{c}" FROM m WHERE "{c}" IS NOT NULL LIMIT 1 OFFSET 1)')
                            asked.append(f'SELECT count(*) FROM (SELECT * FROM %s a {kind} %s b ON a.id = b.id AND {side}."{c}" {value}{end})')
        for left, right in ("tt", "tm", "mt"):
            out, err = self.run(before + "".join(f"{x % (left, right)};\n{x % ('m', 'm')};\n" for x in asked))
            counts = out.split()
            check("sqlite joins", "", err or same(len(counts), 2 * len(asked)))
            for x, ours, theirs in zip(asked, counts[::2], counts[1::2]):
                check("sqlite joins", x % (left, right), same(ours, theirs))

    def errors(self):
        path, geo = (lit(os.path.join(GOOD, f"{x}/{x}.tacozip")) for x in ("flat", "geo_stac"))
        for call, text in (("'nope.tacozip'", "nope.tacozip: no archive of that name"), ("", "taco: the first argument is the path of a dataset"),
                           (f"{path}, level=7", "there is no level 7"), (f"{path}, level=x", "taco: level must be a number"),
                           (f"{path}, filter='id <'", "at column 5: expected a value, found end of text"),
                           (f"{path}, filter='ids = 1'", "no column 'ids', the nearest is 'id'"),
                           (f"{path}, bbox='1,2'", "taco: bbox must be four numbers"), (f"{geo}, datetime='x'", "time range 'x': at column 1"),
                           (f"{path}, column_mode=x", "taco: column_mode must be one of"), (f"{path}, lvl=1", "taco: no option 'lvl'")):
            out, err = self.run(f"CREATE VIRTUAL TABLE t USING taco({call});")
            check("sqlite errors", call, None if text in err and err.count("\n") == 1 else f"{err!r}, ...{text!r}... wanted")
        for sql, text in (("SELECT * FROM taco_read('nope');", "nope: no archive"), ("SELECT * FROM taco_read;", "taco_read: the first argument"),
                          (f"SELECT * FROM taco_read({path}, 5);", "there is no level 5"), (f"SELECT * FROM taco_read({path}, 0, 'x');", "where"),
                          (f"SELECT * FROM taco_read({path} || char(0), 0);", "taco_read: a zero character"),
                          (f"SELECT * FROM taco_read({path}, 0, 'true' || char(0) || 'x');", "taco_read: a zero character")):
            out, err = self.run(sql)
            check("sqlite errors", sql, None if text in err and err.count("\n") == 1 else f"{err!r}, ...{text!r}... wanted")

    def runs(self, sql):
        return lambda path: not self.run(self.declare([path], 0) + ".output /dev/null\n" + sql)[1]

    def all(self, tmp):
        print(f"SQLite {self.version}")
        for name, paths in datasets():
            for level in range(len(info(paths)["levels"])):
                self.level(name, paths, level, 40)
        for name, paths in corpus(tmp):
            try:
                rows(paths, 0)
            except OSError:
                listed["files of the corpus that Arrow cannot hold, or codecs without a decoder"] += 1
                continue
            self.level(name, paths, 0, 6)
        self.special()
        self.joins()
        if importlib.util.find_spec("apsw"):  # the newest SQLite beside the system's
            newest = Lite((sys.executable, "-m", "apsw"), "")
            newest.special()
            newest.joins()
        else:
            print("SKIPPED the newest SQLite: apsw is not installed")
        self.errors()
        for path in sorted(glob.glob(os.path.join(SHARED, "fixtures/bad/*.tacozip"))):
            for level in (0, 1):
                out, err = self.run(self.declare([path], level) + "SELECT * FROM t;")
                check("sqlite bad files", path, None if err.count("\n") <= 1 or "no such table" in err else err)
        reads(Damage(tmp), self.runs("SELECT * FROM t;"), self.runs("SELECT id, num FROM t;"),
              self.runs("SELECT * FROM t WHERE id >= 's01500' AND id < 's01600';"), self.runs("SELECT count(*) FROM t WHERE id BETWEEN 's01500' AND 's01599';"))


def guide():
    """The block of docs/databases.md for this engine, as it stands there."""
    kind = "python" if ENGINE == "duckdb" else "sh"
    blocks = re.findall(r"^```%s\n(.*?)^```" % kind, open("docs/databases.md").read(), re.M | re.S)
    blocks = [b for b in blocks if "build/taco" in b]
    check("guide", "blocks", same(len(blocks), 1))
    for block in blocks:
        block = block.replace("build/taco.duckdb_extension", MODULE)  # the one of this DuckDB's platform
        out = subprocess.run([sys.executable if ENGINE == "duckdb" else "sh", "-c", block], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        fine = out.returncode == 0 and b"/vsisubfile/" in out.stdout and not out.stderr
        check("guide", block.splitlines()[0], None if fine else (out.stdout + out.stderr).decode())


def main():
    guide()
    with tempfile.TemporaryDirectory() as tmp:
        (Duck if ENGINE == "duckdb" else Lite)().all(tmp)
    for text, n in sorted(listed.items()):
        print(f"listed {n:4} {text}")
    for text in failed[:60]:
        print("FAIL", text)
    print(", ".join(f"{what} {n}" for what, n in sorted(passed.items())))
    print(f"{ENGINE} interop: {sum(passed.values())} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
