"""where_diff.py TACO DIR [--count N] [--seed S] - random conditions on random tables, compared with DuckDB.

Each table is written by pyarrow, DuckDB, polars or the tool itself, with random row groups, pages, indexes and bloom filters,
and read with one thread and with four: whatever is skipped by statistics must not change an answer. Needs duckdb, pyarrow
and polars; DIR is for the files. The last line counts conditions and differences; exit status 1 if there are any.
"""
import argparse
import datetime
import decimal
import os
import random
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
    os.remove(path)
    print("where_diff: %d conditions, %d of them select some rows, %d differences" % (asked, found, different))
    return different > 0 or found < asked // 4


if __name__ == "__main__":
    sys.exit(main())
