"""where_diff.py TACO DIR [--count N] [--seed S] - random conditions on random tables, compared with DuckDB.

Each table is written by pyarrow, DuckDB, polars or the tool itself, with random row groups, pages, indexes and bloom filters,
and read with one thread and with four: whatever is skipped by statistics must not change an answer. Needs duckdb, pyarrow
and polars; DIR is for the files. Then the same over datasets that store a column v with different types, or lack it, opened
as one: --where, --sql and DuckDB's UNION ALL must give the same rows. The last lines count conditions and differences; exit
status 1 if there are any.
"""
import argparse
import datetime
import decimal
import json
import os
import random
import shutil
import subprocess
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

FLOATS = [0.0, -0.0, float("nan"), 1.5, -2.25, float("inf"), float("-inf"), 3.0, 0.1]
TEXTS = ["", "a", "ab", "abc", "z\u00e9", "\u03a9", "b" * 90, "b" * 90 + "c", "\x7f"]
LITERALS = {
    "i32": ["-3", "0", "5", "22", "2.5", "-100", "99"],
    "u32": ["0", "70000000", "4130000000", "2100000000.5"],
    "u8": ["0", "11", "200", "255", "300"],
    "i64": ["0", "-5", "4611686018427387904", "3", "1e3"],
    "u64": ["0", "9223372036854775808", "7", "9223372036854775811"],
    "f64": ["0", "-0.0", "1.5", "'nan'", "'inf'", "0.1", "3", "-2.25"],
    "f32": ["0", "1.5", "'nan'", "0.1", "3"],
    "s": ["''", "'a'", "'abc'", "'z\u00e9'", "'" + "b" * 90 + "'", "'" + "b" * 64 + "'", "'c'"],
    "d": ["0", "-0.30", "0.05", "0.055", "0.39", "1"],
    "ts": ["'1970-01-01'", "'1970-01-05 00:00:00'", "'1966-11-01'"],
    "dt": ["'1970-01-01'", "'1970-02-05'", "'1969-12-20'"],
    "b": ["true", "false"],
}
PATTERNS = ["'a%'", "'%b'", "'b%'", "'ab_'", "'%'", "''", "'" + "b" * 70 + "%'"]


def table(rnd):
    """Values in runs, so that many row groups and pages have few of them and statistics can skip."""
    rows, run, nulls = rnd.choice([3000, 9000, 20000]), rnd.choice([1, 7, 500, 3000]), rnd.choice([0, 0.1, 0.9])
    day, epoch = 86400000000, datetime.date(1970, 1, 1)
    makers = {
        "i32": (pa.int32(), lambda v: v * 7 % 50 - 20),
        "u32": (pa.uint32(), lambda v: v * 11 % 60 * 70000000),
        "u8": (pa.uint8(), lambda v: v * 11 % 256),
        "i64": (pa.int64(), lambda v: v * 13 % 40 - 5 + ((1 << 62) if v % 17 == 0 else 0)),
        "u64": (pa.uint64(), lambda v: v * 13 % 40 + ((1 << 63) if v % 5 == 0 else 0)),
        "f64": (pa.float64(), lambda v: FLOATS[v * 5 % len(FLOATS)]),
        "f32": (pa.float32(), lambda v: FLOATS[v * 4 % len(FLOATS)]),
        "s": (pa.string(), lambda v: TEXTS[v * 5 % len(TEXTS)]),
        "d": (pa.decimal128(rnd.choice([5, 12, 30]), 2), lambda v: decimal.Decimal(v * 3 % 70 - 30).scaleb(-2)),
        "ts": (pa.timestamp("us"), lambda v: v * 37 % 100 * day - 10**13 * (v % 3)),
        "dt": (pa.date32(), lambda v: epoch + datetime.timedelta(v * 37 % 100 - 20)),
        "b": (pa.bool_(), lambda v: v // 3 % 2 == 0),
    }
    columns = {"n": pa.array(range(rows), pa.int64())}
    for name, (kind, make) in makers.items():
        columns[name] = pa.array([None if rnd.random() < nulls else make(i // run) for i in range(rows)], kind)
    return pa.table(columns)


def write(rnd, con, t, path, taco):
    """Writes the table, registered as t in con, and returns by whom."""
    by = rnd.choice(["pyarrow", "duckdb", "duckdb", "polars", "taco", "taco"])
    if by == "duckdb":
        con.execute("COPY t TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 2048, PARQUET_VERSION %s)" % (path, rnd.choice(["v1", "v2"])))
    elif by == "polars":
        polars.from_arrow(t).write_parquet(path, row_group_size=rnd.choice([500, 4000]), data_page_size=rnd.choice([500, 1 << 20]))
    else:
        pq.write_table(t, path, row_group_size=rnd.choice([500, 2048, len(t)]), data_page_size=rnd.choice([200, 2000, 1 << 20]),
                       write_page_index=True, use_dictionary=rnd.choice([True, False]), data_page_version=rnd.choice(["1.0", "2.0"]),
                       compression=rnd.choice(["none", "snappy", "zstd"]), write_batch_size=rnd.choice([64, 1024]),
                       store_decimal_as_integer=rnd.choice([True, False]))
    if by == "taco":
        size = [rnd.choice(["--row-group", "--page-rows"]), str(rnd.choice([300, 2000]))]
        subprocess.run([taco, "parquet", "copy", path, path + ".2", "--bloom", *size], check=True)
        os.replace(path + ".2", path)
    return by


def atom(rnd):
    column = rnd.choice(list(LITERALS))
    literal = lambda: rnd.choice(LITERALS[column])
    no = rnd.choice(["", "NOT "])
    kind = rnd.random()
    if kind < 0.08:
        return "%s IS %sNULL" % (column, no)
    if column == "s" and kind < 0.3:
        return "s %sLIKE %s" % (no, rnd.choice(PATTERNS))
    if kind < 0.4:
        return "%s %sIN (%s)" % (column, no, ",".join(literal() for _ in range(rnd.choice([1, 2, 4]))))
    if kind < 0.5:
        return "%s BETWEEN %s AND %s" % (column, literal(), literal())
    if kind < 0.55:
        return "%s IS %sDISTINCT FROM %s" % (column, no, literal())
    return "%s %s %s" % (column, rnd.choice(["=", "=", "<>", "<", "<=", ">", ">="]), literal())


def condition(rnd, depth):
    if depth == 0 or rnd.random() < 0.3:
        return atom(rnd)
    if rnd.random() < 0.15:
        return "NOT (%s)" % condition(rnd, depth - 1)
    return "(%s) %s (%s)" % (condition(rnd, depth - 1), rnd.choice(["AND", "AND", "OR"]), condition(rnd, depth - 1))


def answer(taco, path, where, threads):
    p = subprocess.run([taco, "parquet", "cat", path, "--where", where, "--columns", "n", "--threads", threads, "--format", "csv"],
                       capture_output=True, text=True)
    # what is no number is the header
    return [int(x) for x in p.stdout.split() if x.isdigit()] if p.returncode == 0 else p.stderr.strip()


# ---- datasets whose columns have different types ----

D, DAY = decimal.Decimal, datetime.date
EPOCH = datetime.datetime(1970, 1, 1)
MIXED = {
    "i8": (pa.int8(), [-128, -1, 0, 7, 127]),
    "u8": (pa.uint8(), [0, 7, 200, 255]),
    "i32": (pa.int32(), [-5, 0, 7, 3, 16777217, 2147483647]),
    "i64": (pa.int64(), [-5, 0, 7, 9007199254740993, 9000000000]),
    "u64": (pa.uint64(), [0, 7, 2**63, 2**64 - 1]),
    "f32": (pa.float32(), [0.1, 7.0, -0.0, 1.5, float("nan"), float("inf"), 16777216.0]),
    "f64": (pa.float64(), [0.1, 7.0, 0.0, 1.5, float("nan"), float("-inf"), 9007199254740992.0]),
    "d92": (pa.decimal128(9, 2), [D("7.00"), D("0.10"), D("7.50"), D("-3.25")]),
    "d126": (pa.decimal128(12, 6), [D("7.000000"), D("0.100000"), D("0.100001"), D("-3.25")]),
    "text": (pa.string(), ["", "7", "0.1", "abc", "2020-01-01", "2020-01-01 00:00:00", "7.50", "true"]),
    "date": (pa.date32(), [DAY(2020, 1, 1), DAY(1969, 12, 31), DAY(2021, 6, 1)]),
    "ms": (pa.timestamp("ms"), [EPOCH.replace(year=2020), EPOCH, EPOCH.replace(year=1969, month=12, day=31, hour=23)]),
    "us": (pa.timestamp("us"), [EPOCH.replace(year=2020), EPOCH.replace(microsecond=1), EPOCH.replace(year=2021, hour=5)]),
    "t_ms": (pa.time32("ms"), [datetime.time(0), datetime.time(12, 30)]),
    "t_us": (pa.time64("us"), [datetime.time(0, 0, 0, 1), datetime.time(12, 30)]),
}
FAMILIES = [["i8", "u8", "i32", "i64", "u64"], ["i32", "i64", "u64", "d92", "d126"], ["i8", "i32", "f32", "f64", "d92"], ["i64", "u64", "f32", "f64", "d126"],
            ["f32", "f64"], ["text", "i32", "f64", "d92"], ["text", "date", "us"], ["date", "ms", "us"], ["t_ms", "t_us"]]
NUMBERS = ["7", "0", "0.1", "7.5", "-3.25", "9007199254740993", "16777217", "200", "1.5", "'nan'", "'7'", "18446744073709551615"]
TIMES = ["'2020-01-01'", "'1970-01-01 00:00:00.000001'", "'1969-12-31 23:00:00'", "DATE '2020-01-01'", "TIMESTAMP '2020-01-01 00:00:00'"]
WORDS = ["'7'", "'abc'", "'0.1'", "'2020-01-01'", "'7.50'", "''", "'2020-01-01 00:00:00'", "'-3.25'"]


def mixed_source(taco, path):
    os.makedirs(path + "/s")
    for i in range(12):
        open("%s/s/r%02d" % (path, i), "w").close()
    with open(path + "/c.json", "w") as f:
        json.dump({"id": "d", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "providers": [{"name": "n"}],
                   "tasks": ["classification"]}, f)
    subprocess.run([taco, "create", path + "/s", path + "/source", "--format", "folder", "--collection", path + "/c.json", "--quiet"], check=True)


def mixed_dataset(rnd, path, number, kind, taco):
    """A FOLDER whose level 0 has v, unless kind is None, in row groups of two rows, with bloom filters and indexes."""
    here = "%s/d%d" % (path, number)
    shutil.rmtree(here, ignore_errors=True)
    shutil.copytree(path + "/source", here)
    table = pq.read_table(here + "/METADATA/level0.parquet")
    table = table.set_column(table.schema.get_field_index("id"), "id", pa.array(["%d_%s" % (number, x) for x in table["id"].to_pylist()]))
    for old in os.listdir(here + "/DATA"):
        os.rename("%s/DATA/%s" % (here, old), "%s/DATA/%d_%s" % (here, number, old))
    if kind:
        type_, values = MIXED[kind]
        values = sorted((rnd.choice(values) for _ in range(12)), key=repr) if rnd.random() < 0.5 else [rnd.choice(values) for _ in range(12)]
        table = table.append_column("v", pa.array([None if rnd.random() < 0.1 else x for x in values], type_))
    table = table.append_column("k", pa.array([x % 3 for x in range(12)], pa.int32()))
    pq.write_table(table, here + "/t.parquet", row_group_size=2, write_page_index=True, use_dictionary=rnd.random() < 0.5)
    subprocess.run([taco, "parquet", "copy", here + "/t.parquet", here + "/u.parquet", *rnd.choice([[], ["--bloom"]]), "--row-group", "2"], check=True)
    os.replace(here + "/u.parquet", here + "/METADATA/level0.parquet")
    os.remove(here + "/t.parquet")
    return here


def mixed_known(kinds, where):
    """Where --sql, or DuckDB, is known to differ: milliseconds have a type of their own in SQL."""
    return "ms" in kinds and "00.000001" in where


def mixed_atom(rnd, kinds):
    literals = WORDS if "text" in kinds else TIMES if kinds & {"date", "ms", "us"} else ["'12:30:00'", "'00:00:00'"] if kinds & {"t_ms"} else NUMBERS
    one = lambda: rnd.choice(literals)
    kind = rnd.random()
    if kind < 0.1:
        return "v IS %sNULL" % rnd.choice(["", "NOT "])
    if kind < 0.2:
        return "k = %d" % rnd.randrange(3)
    if "text" in kinds and kind < 0.35:
        return "v %sLIKE %s" % (rnd.choice(["", "NOT "]), rnd.choice(["'%1%'", "'7%'", "'2020%'", "'%.5'"]))
    if kind < 0.5:
        return "v %sIN (%s)" % (rnd.choice(["", "NOT "]), ", ".join(one() for _ in range(rnd.choice([1, 3]))))
    if kind < 0.6:
        return "v BETWEEN %s AND %s" % (one(), one())
    if kind < 0.65:
        return "v IS %sDISTINCT FROM %s" % (rnd.choice(["", "NOT "]), one())
    if kind < 0.7 and "text" not in kinds and kinds & {"i32", "f64"}:
        return "v %s k" % rnd.choice(["=", ">=", "<>"])
    return "v %s %s" % (rnd.choice(["=", "=", "<>", "<", "<=", ">", ">="]), one())


def mixed_condition(rnd, kinds, depth):
    if depth == 0 or rnd.random() < 0.4:
        return mixed_atom(rnd, kinds)
    if rnd.random() < 0.15:
        return "NOT (%s)" % mixed_condition(rnd, kinds, depth - 1)
    return "(%s) %s (%s)" % (mixed_condition(rnd, kinds, depth - 1), rnd.choice(["AND", "OR"]), mixed_condition(rnd, kinds, depth - 1))


def mixed_query(taco, sets, options):
    p = subprocess.run([taco, "query", *sets, "--column-mode", "fill_missing", "--quiet", "--format", "csv", *options], capture_output=True, text=True)
    return sorted(p.stdout.split()[1:]) if p.returncode == 0 else p.stderr.strip()


def mixed(taco, path, count, seed):
    shutil.rmtree(path, ignore_errors=True)
    mixed_source(taco, path)
    rnd, asked, refused, different, found = random.Random(seed), 0, 0, 0, 0
    while asked < count:
        family = rnd.choice(FAMILIES)
        kinds = [rnd.choice(family) for _ in range(rnd.choice([2, 2, 3]))] + ([None] if rnd.random() < 0.2 else [])
        rnd.shuffle(kinds)
        sets = [mixed_dataset(rnd, path, i, kind, taco) for i, kind in enumerate(kinds)]
        con = duckdb.connect()
        con.execute("SET threads = 1")
        con.execute("CREATE TABLE t AS " + " UNION ALL BY NAME ".join("SELECT id, k%s FROM read_parquet('%s/METADATA/level0.parquet')" % (
            ", v" if kind else "", here) for kind, here in zip(kinds, sets)))
        for _ in range(12):
            where = mixed_condition(rnd, set(kinds), 2)
            if mixed_known(set(kinds), where):
                continue
            ours = mixed_query(taco, sets, ["--where", where, "--select", "id", "--threads", rnd.choice(["1", "4"])])
            sql = mixed_query(taco, sets, ["--sql", "SELECT id FROM data WHERE " + where])
            try:
                want = sorted(row[0] for row in con.execute("SELECT id FROM t WHERE " + where).fetchall())
            except duckdb.Error as e:
                want = str(e)
            asked += 1
            if isinstance(ours, str): # refused, which is no wrong answer
                refused += 1
                continue
            found += 0 < len(ours) < 12 * len(sets)
            if (isinstance(sql, list) and ours != sql) or (isinstance(want, list) and ours != want):
                different += 1
                print("%s: %s: --where %s, --sql %s, DuckDB %s" % (kinds, where, *(x if isinstance(x, str) else len(x) for x in (ours, sql, want))))
    print("where_diff: %d conditions on mixed types, %d of them select some rows, %d refused, %d differences" % (asked, found, refused, different))
    return different > 0 or found < asked // 5


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("taco")
    arguments.add_argument("dir")
    arguments.add_argument("--count", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    args = arguments.parse_args()
    os.makedirs(args.dir, exist_ok=True)
    rnd, path = random.Random(args.seed), os.path.join(args.dir, "where.parquet")
    asked = different = found = 0
    while asked < args.count:
        con, t = duckdb.connect(), table(rnd)
        con.execute("SET threads = 1")
        con.register("arrow", t)
        con.execute("CREATE TABLE t AS SELECT * FROM arrow") # DuckDB's pushdown into Arrow has ideas of its own about NaN
        by = write(rnd, con, t, path, args.taco)
        for _ in range(25):
            where = condition(rnd, 2)
            try:
                want = [row[0] for row in con.execute("SELECT n FROM t WHERE %s ORDER BY n" % where).fetchall()]
            except duckdb.Error:
                continue # a literal that DuckDB does not compare with the column
            asked += 1
            found += 0 < len(want) < len(t)
            for threads in "1", "4":
                got = answer(args.taco, path, where, threads)
                if got != want:
                    different += 1
                    print("%s, %s threads: %s: %d rows expected, got %s" % (
                        by, threads, where, len(want), got if isinstance(got, str) else "%d" % len(got)))
    os.path.exists(path) and os.remove(path)
    print("where_diff: %d conditions, %d of them select some rows, %d differences" % (asked, found, different))
    return mixed(args.taco, os.path.join(args.dir, "mixed"), args.count // 4, args.seed) or different > 0 or found < asked // 4


if __name__ == "__main__":
    sys.exit(main())
