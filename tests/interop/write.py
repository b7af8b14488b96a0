#!/usr/bin/env python3
"""write.py TACO SHARED DIR [--seed N] [--count N] [--modules DIR] - Parquet files that taco wrote, read by others.

Random schemas (nested), values (nulls, empty, extremes) and writer options, a seed each. pyarrow writes the source,
`taco parquet copy` the copy, or with --stream LIBRARY (of stream.c) for every second seed the same rows as an Arrow
stream of slices, with types that only Arrow has. Then
  - pyarrow reads from the copy the values that were put in, cell by cell,
  - DuckDB, hyparquet (where node and DIR/node_modules have it) and taco itself read the same from both,
  - chunk statistics, column and offset indexes and bloom filters say of flat columns what their values are.
The seed of a failure is printed; --seed N --count 1 shows it again. Before the random ones come the tables of EXTREMES,
each as a copy and as a stream: sizes at the limits of pages and groups, every width, every option. --extremes [PATTERN]: only they."""
import argparse, ctypes, datetime, io, decimal, math, os, random, re, shutil, struct, subprocess, sys, uuid

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("shared"); ap.add_argument("dir")
ap.add_argument("--seed", type=int, default=1); ap.add_argument("--count", type=int, default=200)
ap.add_argument("--stream"); ap.add_argument("--modules"); ap.add_argument("--codecs", default="none")
ap.add_argument("--extremes", nargs="?", const="", help="only these, of names that match a pattern")
A = ap.parse_args()
sys.path.insert(0, os.path.join(A.shared, "tools"))
import duckdb, pqmini
import pyarrow as pa, pyarrow.parquet as pq

LIB = ctypes.CDLL(os.path.abspath(A.stream)) if A.stream else None
failures = checks = 0


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *(str(w)[:600] for w in what), flush=True)
    return ok


# ---- random types and values: a function (R) -> value each ----
DAY = datetime.date(1970, 1, 1)
WORDS = ["", "a", "train", "test", "validation", "é", "日本", "\U0001F600", "x" * 63 + "é", "y" * 200, "\x7f" * 70, "\U0010FFFF" * 30, "z" * 64]
FLOATS = [0.0, -0.0, 1.5, -2.25, float("nan"), float("inf"), float("-inf"), 1e-40, 3e38, 5e-324]


def ints(bits, signed):
    low, high = (-2**(bits - 1), 2**(bits - 1) - 1) if signed else (0, 2**bits - 1)
    return lambda R: R.choice([low, high, 0, 1, R.randint(low, high), R.randint(max(low, -9), 9)])


def half(R):
    return struct.unpack("<e", struct.pack("<e", R.choice([0.0, -0.0, 1.5, 65504.0, float("nan"), R.uniform(-9, 9)])))[0]


def single(R):
    x = R.choice(FLOATS + [R.uniform(-9, 9)])
    return struct.unpack("<f", struct.pack("<f", x))[0]


def dec(p, s):
    return lambda R: decimal.Decimal(R.choice([10**p - 1, 1 - 10**p, 0, R.randint(-99, 99) if p > 1 else 1])).scaleb(-s, decimal.Context(prec=90))


def stamp(R):
    return R.choice([0, 1, -1, 253402300799, -62135596800, R.randint(-10**9, 2 * 10**9)])


FLAT = [
    (pa.bool_(), lambda R: R.random() < .5), (pa.bool_(), lambda R: R.random() < .02),
    (pa.int8(), ints(8, True)), (pa.int16(), ints(16, True)), (pa.int32(), ints(32, True)), (pa.int64(), ints(64, True)),
    (pa.uint8(), ints(8, False)), (pa.uint16(), ints(16, False)), (pa.uint32(), ints(32, False)), (pa.uint64(), ints(64, False)),
    (pa.float16(), half), (pa.float32(), single), (pa.float64(), lambda R: R.choice(FLOATS + [R.uniform(-9, 9)])),
    (pa.string(), lambda R: R.choice(WORDS)), (pa.string(), lambda R: "".join(R.choices("abc é日", k=R.randint(0, 9)))),
    (pa.string(), lambda R: f"DATA/tile_{R.randint(0, 9999):05d}/image.tif"), (pa.large_string(), lambda R: R.choice(WORDS)),
    (pa.binary(), lambda R: R.choice([b"", b"\xff" * 70, b"\xff" * 5, R.randbytes(R.randint(0, 90))])), (pa.binary(5), lambda R: R.randbytes(5)),
    (pa.date32(), lambda R: DAY + datetime.timedelta(R.choice([0, -700000, 2900000, R.randint(-9000, 30000)]))),
    (pa.time32("ms"), lambda R: datetime.time(R.randint(0, 23), R.randint(0, 59), 7, 1000 * R.randint(0, 999))),
    (pa.time64("us"), lambda R: datetime.time(R.randint(0, 23), 1, 2, R.randint(0, 999999))),
    (pa.timestamp("ms"), lambda R: datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=stamp(R))),
    (pa.timestamp("us"), lambda R: datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=stamp(R))),
    (pa.timestamp("us", "UTC"), lambda R: datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=R.randint(-10**9, 10**9))),
    (pa.timestamp("ns"), lambda R: datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=R.randint(-10**9, 10**9))),
    (pa.decimal128(1, 0), dec(1, 0)), (pa.decimal128(9, 2), dec(9, 2)), (pa.decimal128(18, 18), dec(18, 18)), (pa.decimal128(19, 3), dec(19, 3)),
    (pa.decimal128(38, 10), dec(38, 10)), (pa.int64(), None), (pa.null(), lambda R: None),
]

UTC = datetime.timezone.utc
ARROW = [  # what only Arrow has, restored by the hint
    (pa.large_string(), lambda R: R.choice(WORDS)), (pa.large_binary(), lambda R: R.randbytes(R.randint(0, 20))),
    (pa.string_view(), lambda R: R.choice(WORDS)), (pa.binary_view(), lambda R: R.randbytes(R.randint(0, 30))),
    (pa.dictionary(pa.int8(), pa.string()), lambda R: R.choice(WORDS)), (pa.dictionary(pa.uint16(), pa.string(), ordered=True), lambda R: R.choice(WORDS)),
    (pa.dictionary(pa.int64(), pa.binary()), lambda R: R.choice([b"", b"a", b"\xff"])),
    (pa.dictionary(pa.int32(), pa.int64()), lambda R: R.choice([0, 7, -1])), (pa.dictionary(pa.int32(), pa.float64()), lambda R: R.choice([0.5, 7, -1e300])),
    (pa.duration("s"), lambda R: datetime.timedelta(seconds=R.randint(-10**9, 10**9))), (pa.duration("us"), lambda R: datetime.timedelta(microseconds=R.randint(-10**15, 10**15))),
    (pa.date64(), lambda R: DAY + datetime.timedelta(R.randint(-9000, 30000))), (pa.time32("s"), lambda R: datetime.time(R.randint(0, 23), 5, 6)),
    (pa.timestamp("s"), lambda R: datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=stamp(R))),
    (pa.timestamp("s", "UTC"), lambda R: datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=R.randint(-10**9, 10**9))),
    (pa.timestamp("ms", "Europe/Madrid"), lambda R: datetime.datetime(2000, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=R.randint(-10**8, 10**8))),
    (pa.timestamp("ns", "+01:30"), lambda R: datetime.datetime(2000, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=R.randint(-10**8, 10**8))),
    (pa.decimal256(5, 1), dec(5, 1)), (pa.decimal256(30, 4), dec(30, 4)), (pa.decimal256(76, 9), dec(76, 9)),
    (pa.uuid(), lambda R: uuid.UUID(bytes=R.randbytes(16))), (pa.null(), lambda R: None),
]


def make_type(R, depth, arrow=False):
    """(type, maker, flat)"""
    if arrow and depth > 0 and R.random() < .1:
        t, f, _ = make_type(R, depth - 1, arrow)
        n, p = R.randint(1, 4), R.choice([0, .2])
        return pa.list_(pa.field("element", t, nullable=p > 0 or t == pa.null()), n), lambda R: [None if p and R.random() < p else f(R) for _ in range(n)], False
    if depth > 0 and R.random() < (.35 if depth == 3 else .5):
        kind = R.choice("llsm")
        if kind == "l":
            t, f, _ = make_type(R, depth - 1, arrow)
            p = R.choice([0, .2])
            top = R.choice([2, 4, 40])
            field = pa.field("element", t, nullable=p > 0 or t == pa.null())
            make = lambda R: [None if p and R.random() < p else f(R) for _ in range(R.choice([0, 1, R.randint(0, top)]))]
            return (pa.large_list(field) if R.random() < .2 else pa.list_(field)), make, False
        if kind == "s":
            parts = [(f"f{i}", *make_type(R, depth - 1, arrow)[:2], R.choice([0, .3])) for i in range(R.randint(1, 3))]
            t = pa.struct([pa.field(n, t, nullable=p > 0 or t == pa.null()) for n, t, _, p in parts])
            return t, lambda R: {n: None if p and R.random() < p else f(R) for n, t, f, p in parts}, False
        k = R.choice([(pa.string(), lambda R, i: f"k{i}"), (pa.int32(), lambda R, i: i)])
        t, f, _ = make_type(R, depth - 1, arrow)
        return pa.map_(k[0], t), lambda R: [(k[1](R, i), None if R.random() < .1 else f(R)) for i in range(R.randint(0, 3))], False
    t, f = R.choice(FLAT + ARROW if arrow else FLAT)
    if f is None:  # a counter, as ids are
        state = [R.randint(-5, 5)]

        def f(R):
            state[0] += R.choice([1, 1, 1, 3])
            return state[0]
    return t, f, True


def make_table(R, arrow=False):
    rows = R.choice([0, 1, 2, 9, 100, 700, R.randint(0, 3000)])
    fields, columns = [], []
    for i in range(R.randint(1, 7)):
        t, f, flat = make_type(R, 3, arrow)
        p = 1 if t == pa.null() else R.choice([0, 0, .1, .5, 1])
        values = [None if p and R.random() < p else f(R) for _ in range(rows if flat else min(rows, 400))]
        values += [None if p else f(R)] * 0
        if len(values) < rows:
            values = (values * (rows // max(1, len(values)) + 1))[:rows]
        if R.random() < .2:  # runs
            values = [values[k // 37 * 37] for k in range(rows)]
        try:
            columns.append(pa.array(values, t))
        except pa.ArrowNotImplementedError:  # extension types inside some others
            t = pa.null()
            columns.append(pa.nulls(rows))
        fields.append(pa.field(R.choice([f"c{i}", f"stac:col {i}", f'q"{i}', f"é{i}"]), t, nullable=p > 0 or t == pa.null()))
    return pa.table(columns, schema=pa.schema(fields))


def make_options(R):
    out = []
    if R.random() < .4: out += ["--encoding", R.choice("plain dictionary rle delta delta-length delta-bytes split".split())]
    if R.random() < .5: out += ["--page-rows", R.choice([1, 2, 7, 50, 500])]
    if R.random() < .3: out += ["--page-bytes", R.choice([1, 100, 3000])]
    if R.random() < .3: out += ["--dictionary-bytes", R.choice([1, 40, 500])]
    if R.random() < .5: out += ["--row-group", R.choice([1 if R.random() < .1 else 60, 97, 1000])]
    if R.random() < .3: out += ["--pages-v2"]
    if R.random() < .3: out += ["--bloom"]
    if R.random() < .1: out += ["--no-crc"]
    if R.random() < .1: out += ["--no-page-index"]
    if R.random() < .1: out += ["--no-statistics"]
    if R.random() < .2: out += ["--content-defined", "--chunk-min", R.choice([64, 500]), "--chunk-max", 2000]
    codec = R.choice(A.codecs.split(","))
    return out + (["--codec", codec] if codec != "none" else [])


# ---- comparing ----
def plain(v):
    if isinstance(v, float):
        return "nan" if v != v else struct.pack("<d", v)
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, tuple):
        return tuple(plain(x) for x in v)
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    return v


def cells(table):
    return [plain(c.to_pylist()) for c in table.columns]


def tool(*args):
    p = subprocess.run([A.taco, "parquet", *map(str, args)], capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace").strip()


NUMBERS = ["--row-group", "--page-rows", "--page-bytes", "--dictionary-bytes", "--codec", "--level", "--encoding", "--chunk-min", "--chunk-max"]
FLAGS = ["--pages-v2", "--bloom", "--no-crc", "--no-page-index", "--no-statistics", "--content-defined"]
CODECS = ["", "none", "snappy", "gzip", "zstd", "lz4"]
ENCODINGS = ["auto", "plain", "dictionary", "rle", "delta", "delta-length", "delta-bytes", "split"]


def stream(R, table, copy, options):
    """interop_write over slices of the table, as `taco parquet copy` answers."""
    given = {o: v for o, v in zip(options, options[1:] + [None]) if str(o).startswith("--")}
    if ":" in str(given.get("--codec")):
        given["--codec"], given["--level"] = given["--codec"].split(":")
    number = lambda o: (CODECS.index(given[o]) if o == "--codec" else ENCODINGS.index(given[o]) if o == "--encoding" else int(given[o])) if o in given else 0
    numbers = (ctypes.c_uint64 * 10)(*map(number, NUMBERS), 0)
    flags = sum(1 << i for i, f in enumerate(FLAGS) if f in given)
    batches, at = [], 0
    for batch in table.combine_chunks().to_batches() or []:
        while at < batch.num_rows:
            n = R.choice([1, 7, 64, 1000])
            batches.append(batch.slice(at, n))
            at += n
    if R.random() < .3: batches.insert(len(batches) // 2, pa.RecordBatch.from_pylist([], table.schema))
    holder, text = ctypes.create_string_buffer(64), ctypes.create_string_buffer(384)
    pa.RecordBatchReader.from_batches(table.schema, batches)._export_to_c(ctypes.addressof(holder))
    status = LIB.interop_write(copy.encode(), holder, numbers, flags, None, None, text)
    return status, b"", text.value.decode(errors="replace")


def restored(table):
    """The schema with which pyarrow reads its own file; None where it cannot."""
    out = io.BytesIO()
    try:
        pq.write_table(table, out, compression="none")
        return pq.read_table(io.BytesIO(out.getvalue())).schema
    except pa.ArrowException as e:
        return None


def duck(con, path):
    try:
        return [tuple(plain(v) for v in row) for row in con.execute("select * from read_parquet(?)", [path]).fetchall()]
    except (duckdb.Error, ValueError, OverflowError) as e:
        return e


def bound(t, raw, physical):
    """A PLAIN value as what orders like it; a copy keeps decimals in bytes (6, 7), which are big-endian."""
    if raw is None: return None
    if pa.types.is_boolean(t): return raw[0] == 1
    if pa.types.is_floating(t): return struct.unpack({2: "<e", 4: "<f", 8: "<d"}[len(raw)], raw)[0]
    if pa.types.is_decimal(t) and physical in (6, 7): return int.from_bytes(raw, "big", signed=True)
    if pa.types.is_string(t) or pa.types.is_binary(t) or pa.types.is_fixed_size_binary(t): return raw
    return int.from_bytes(raw, "little", signed=not pa.types.is_unsigned_integer(t))


def orderable(t, column):
    """The values of a flat column in the order of the format, nulls as None."""
    if pa.types.is_decimal(t):
        return [None if v is None else int(v.scaleb(t.scale, decimal.Context(prec=90))) for v in column.to_pylist()]
    if pa.types.is_string(t):
        return [None if v is None else v.encode() for v in column.to_pylist()]
    if pa.types.is_temporal(t):
        width = pa.int32() if t.bit_width == 32 else pa.int64()
        return column.combine_chunks().view(width).to_pylist() if column.num_chunks else []
    return column.to_pylist()


def judge(where, values, low, high, exact, is_text):
    values = [v for v in values if v is not None and v == v]
    if low is not None:
        check(values and (low == min(values) if exact else low <= min(values)), where, "min", low, values and min(values))
    if high is not None:
        check(values and (high == max(values) if exact else high >= max(values)), where, "max", high, values and max(values))
    if is_text and high is not None:
        try:
            low.decode(), high.decode()
        except UnicodeDecodeError:
            check(False, where, "bound is no text", low, high)


def indexes(path, table, options):
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[-8:-4])[0]
    footer = pqmini.T(data, len(data) - 8 - size).st()
    leaves = {}
    for i, f in enumerate(table.schema):
        if not pa.types.is_nested(f.type):
            leaves[f.name] = i
    first = 0
    for g, group in enumerate(footer[4]):
        rows = group[3]
        for chunk in group[1]:
            meta = chunk[3]
            path_in = [p.decode() if isinstance(p, bytes) else p for p in meta[3]]
            if "--no-statistics" not in options and 16 in meta:
                rep, defs = meta[16].get(2), meta[16].get(3)
                check(not rep or (sum(rep) == meta[5] and rep[0] == rows), (path, g, path_in), "repetition histogram", rep, meta[5])
                check(not defs or sum(defs) == meta[5], (path, g, path_in), "definition histogram", defs, meta[5])
                if defs and 12 in meta: check(meta[5] - defs[-1] == meta[12][3], (path, g, path_in), "nulls and histogram", defs, meta[12][3])
                if 6 in chunk:
                    index = pqmini.T(data, chunk[6]).st()
                    for of, per in ((rep, index.get(6)), (defs, index.get(7))):
                        check((of is None) == (per is None) and (not of or [sum(per[k::len(of)]) for k in range(len(of))] == of), (path, g, path_in), "histograms of pages", of, per)
            if len(path_in) != 1 or path_in[0] not in leaves or table.schema.names.count(path_in[0]) > 1:
                continue
            i = leaves[path_in[0]]
            t = table.schema.field(i).type
            if pa.types.is_null(t) or not any(t.equals(known) for known, _ in FLAT): continue
            if pa.types.is_large_string(t): t = pa.string()
            values = orderable(t, table.column(i).slice(first, rows))
            where = (path, "group", g, path_in[0])
            text = pa.types.is_string(t)
            raw = lambda b: b.encode() if isinstance(b, str) else b
            s = meta.get(12)
            if s:
                check(s[3] == sum(v is None for v in values), where, "null_count", s[3])
                if 4 in s:
                    check(s[4] == len(set(v for v in values if v is not None)), where, "distinct", s[4])
                if 9 in s:
                    check(s[9] == sum(v is not None and v != v for v in values), where, "nan_count", s[9])
                judge(where, values, bound(t, raw(s.get(6)), meta[1]), bound(t, raw(s.get(5)), meta[1]), s.get(7, True) and s.get(8, True), text)
                if not ({5, 6} & set(s)):
                    check(all(v is None or v != v or len(str(v)) > 4000 for v in values), where, "has no bounds")
            else:
                check("--no-statistics" in options, where, "has no statistics")
            if meta[1] == 6 and "--no-statistics" not in options:  # BYTE_ARRAY: SizeStatistics, page by page too
                sizes = [0 if v is None else len(v) for v in values]
                check(meta[16][1] == sum(sizes), where, "unencoded", meta.get(16))
                if 4 in chunk:
                    index = pqmini.T(data, chunk[4]).st()
                    at = [p.get(3, 0) for p in index[1]] + [rows]
                    check(index[2] == [sum(sizes[a:b]) for a, b in zip(at, at[1:])], where, "unencoded of pages", index.get(2))
            if 4 in chunk:
                pages = pqmini.T(data, chunk[4]).st()[1]
                starts = [p.get(3, 0) for p in pages] + [rows]
                check(starts[0] == 0 and starts == sorted(starts), where, "first rows", starts)
                check(all(p[1] + p[2] == q[1] for p, q in zip(pages, pages[1:])), where, "pages do not touch")
            if 6 in chunk:
                c = pqmini.T(data, chunk[6]).st()
                check(len(c[1]) == len(pages) == len(c[2]) == len(c[3]) == len(c[5]), where, "lengths of the index")
                lows, highs = [], []
                for k in range(len(pages)):
                    part = values[starts[k]:starts[k + 1]]
                    check(c[5][k] == sum(v is None for v in part), where, "page", k, "nulls", c[5][k])
                    check(c[1][k] == all(v is None for v in part), where, "page", k, "null page")
                    if not c[1][k]:
                        lows.append(bound(t, raw(c[2][k]), meta[1])); highs.append(bound(t, raw(c[3][k]), meta[1]))
                        judge(where + ("page", k), part, lows[-1], highs[-1], False, text)
                if c.get(4, 0) == 1: check(lows == sorted(lows) and highs == sorted(highs), where, "not ascending")
                if c.get(4, 0) == 2: check(lows == sorted(lows, reverse=True) and highs == sorted(highs, reverse=True), where, "not descending")
        first += rows


def one(con, pairs, seed, table, options, arrow):
    """Writes a table and has it read by all; 1 when DuckDB could not read the source."""
    R = random.Random(str(seed))
    before, skipped = failures, 0
    source, copy = (os.path.join(A.dir, f"{seed}.{k}.parquet") for k in ("source", "copy"))
    try:
        pq.write_table(table, source, compression="none", use_dictionary=R.random() < .7, store_schema=False)
    except pa.ArrowException:  # of views, dictionaries of nulls and nested dictionaries: then only the values that went in are compared
        source = None
    write = (lambda to: stream(random.Random(str(seed)), table, to, options)) if arrow else (lambda to: tool("copy", source, to, *options))
    status, _, text = write(copy)
    if check(status == 0, "copy", text):
        got = pq.read_table(copy, page_checksum_verification=True)
        check(got.schema.names == table.schema.names, "names", got.schema.names)
        check(got.num_rows == table.num_rows, "rows", got.num_rows)
        for name, a, b, t, u in zip(table.schema.names, cells(table), cells(got), table.schema, got.schema):
            check(a == b, "pyarrow", name, t.type, next(((i, x, y) for i, (x, y) in enumerate(zip(a, b)) if x != y), (len(a), len(b))))
        if arrow:  # what pyarrow restores of its own files
            want = restored(table)
            hard = want and "fixed_size_list" in str(want) and "not null" in str(want)  # given out as lists where pyarrow may fail
            check(want is None or hard or got.schema.equals(want), "schema", got.schema, want)
        if source: check(tool("cat", source)[1] == tool("cat", copy)[1], "taco cat")
        status, out, text = tool("verify", copy)
        check(status == 0 and b"warning" not in out and not text, "verify", out[-300:], text)
        want = duck(con, source) if source else ValueError()
        if isinstance(want, Exception):
            skipped = 1
        else:
            have = duck(con, copy)
            if "BYTE_STREAM_SPLIT encoding is only supported" in str(have) and "split" in options:
                have = want  # DuckDB splits floats alone
            check(not isinstance(have, Exception) and have == want, "DuckDB", have if isinstance(have, Exception) else next(((i, x, y) for i, (x, y) in enumerate(zip(want, have)) if x != y), None))
        indexes(copy, table, options)
        again = copy + ".again"
        write(again)
        check(open(again, "rb").read() == open(copy, "rb").read(), "not deterministic")
        os.remove(again)
    if failures > before:
        print(f"  {seed}: {table.num_rows} rows {[str(f.type) for f in table.schema][:30]} options {options}")
    if source: pairs.write(f"{source}\t{copy}\n")
    return skipped


# ---- what chance does not meet ----
def columns_of(rows, types, nulls):
    """A column of each (type, maker), with nulls of that part."""
    R = random.Random(len(types) * 31 + rows)
    fields, columns = [], []
    for i, (t, f) in enumerate(types):
        f = f or (lambda R: R.randint(0, 9))
        columns.append(pa.array([None if t == pa.null() or R.random() < nulls else f(R) for _ in range(rows)], t))
        fields.append(pa.field(f"c{i}", t, nullable=nulls > 0 or t == pa.null()))
    return pa.table(columns, schema=pa.schema(fields))


def deep(R, t, depth):
    """A value of a nested type; null, or empty, at any level."""
    if R.random() < .15: return None
    if pa.types.is_list(t): return [deep(R, t.value_type, depth - 1) for _ in range(R.choice([0, 0, 1, 2]))]
    if pa.types.is_struct(t): return {f.name: deep(R, f.type, depth - 1) for f in t}
    if pa.types.is_map(t): return [(f"k{i}", deep(R, t.item_type, depth - 1)) for i in range(R.choice([0, 1, 2]))]
    return R.choice(["", "a", "b" * 9]) if t == pa.string() else R.randint(-9, 9)


def extremes():
    """(name, table, options) of each."""
    R = random.Random(7)
    for n in (65535, 65536, 65537):
        t = pa.table({"i": pa.array(range(n), pa.int64()), "s": pa.array([f"t{k // 3}" if k % 7 else None for k in range(n)]),
                      "l": pa.array([[k] * (k % 3) if k % 5 else None for k in range(n)], pa.list_(pa.int32()))})
        yield f"rows-{n}", t, []
        if n > 65536: yield f"rows-cdc-{n}", t, ["--content-defined"]
    for n in (0, 1):
        yield f"all-types-{n}", columns_of(n, FLAT, 0), []
        yield f"all-types-null-{n}", columns_of(n, FLAT, 1), ["--bloom"]
    yield "no-rows-nested", columns_of(0, [(pa.list_(pa.int32()), None), (pa.map_(pa.string(), pa.struct([("a", pa.list_(pa.string()))])), None)], 1), []
    yield "columns-1000", pa.table({f"column_{i:04d}": pa.array([i, None, -i], pa.int32()) if i % 2 else pa.array([str(i), "", None]) for i in range(1000)}), []
    for name, encoding in (("auto", []), *((e, ["--encoding", e]) for e in ENCODINGS[1:])):
        yield f"encoding-{name}", columns_of(900, FLAT, .2), encoding + ["--page-rows", 130, "--bloom"]
        yield f"encoding-full-{name}", columns_of(700, FLAT, 0), encoding + ["--pages-v2", "--row-group", 300]
        yield f"null-columns-{name}", columns_of(300, FLAT, 1), encoding + ["--page-rows", 100]
    leaf = pa.struct([("v", pa.string()), ("n", pa.int64())])
    nested = {"lslms": pa.list_(pa.struct([("a", pa.list_(pa.map_(pa.string(), leaf)))])), "lllll": pa.list_(pa.list_(pa.list_(pa.list_(pa.list_(pa.int32()))))),
              "mlsml": pa.map_(pa.string(), pa.list_(pa.struct([("m", pa.map_(pa.string(), pa.list_(pa.string())))]))),
              "sssss": pa.struct([("a", pa.struct([("b", pa.struct([("c", pa.struct([("d", pa.struct([("e", pa.int32()), ("f", pa.string())]))]))]))]))])}
    for name, t in nested.items():
        t = pa.table({name: pa.array([deep(R, t, 5) for _ in range(900)], t), "i": pa.array(range(900))})
        for k, o in enumerate(([], ["--page-rows", 1], ["--page-rows", 7, "--pages-v2"], ["--row-group", 97, "--page-bytes", 100], ["--content-defined", "--chunk-min", 64, "--chunk-max", 500],
                               ["--content-defined", "--chunk-min", 64, "--chunk-max", 300, "--pages-v2", "--row-group", 200, "--encoding", "dictionary", "--dictionary-bytes", 40])):
            yield f"nested-{name}-{k}", t, o
    for end in (0, 1, 9, 10, 11):  # lists without values where pages of 10 rows begin and end
        rows = [[] if k % 10 in (9, 0, end) else None if k % 10 == 8 else [k] * (k % 4) for k in range(100)]
        for o in (["--page-rows", 10], ["--page-rows", 10, "--pages-v2"], ["--row-group", 10], ["--page-rows", 1]):
            yield f"page-ends-{end}-{len(o)}-{o[0][2:]}{o[1]}", pa.table({"l": pa.array(rows, pa.list_(pa.int64())), "s": pa.array([None if r is None else {"a": r} for r in rows], pa.struct([("a", pa.list_(pa.int32()))]))}), o
    yield "only-empty-lists", pa.table({"l": pa.array([[]] * 500, pa.list_(pa.string())), "n": pa.array([None] * 500, pa.list_(pa.string())), "e": pa.array([[None]] * 500, pa.list_(pa.string()))}), ["--page-rows", 100]
    widths = [(pa.decimal128(p, s), dec(p, s)) for p in range(1, 39) for s in {0, p // 2, p}]
    for o in ([], ["--encoding", "delta"], ["--encoding", "split", "--bloom"], ["--encoding", "dictionary", "--bloom", "--page-rows", 9]):
        yield f"decimals-{''.join(map(str, o))}", columns_of(60, widths, .1), o
        yield f"fixed-{''.join(map(str, o))}", columns_of(60, [(pa.binary(n), lambda R, n=n: R.randbytes(n) if R.random() < .7 else bytes(n)) for n in range(1, 41)], .1), o
    n = 9000
    late = {"i": pa.array([k % 5 if k < n // 2 else k * 7919 for k in range(n)]), "s": pa.array([f"v{k % 5}" if k < n // 2 else f"unique {k} of them" for k in range(n)]),
            "d": pa.array([float(k % 3) if k < 6000 else k / 7 for k in range(n)]), "l": pa.array([[f"v{k % 5}" if k < 3000 else f"u{k}"] * (k % 3) for k in range(n)]),
            "f": pa.array([bytes([k % 3]) * 16 if k < 4000 else struct.pack("<QQ", k, k) for k in range(n)], pa.binary(16)), "b": pa.array([f"v{k % 5}" if k > n // 2 else f"unique {k}" for k in range(n)])}
    for o in ([], ["--dictionary-bytes", 500], ["--dictionary-bytes", 500, "--page-rows", 100, "--bloom"], ["--dictionary-bytes", 3000, "--pages-v2", "--row-group", 2000], ["--encoding", "dictionary", "--dictionary-bytes", 100, "--content-defined"]):
        yield f"dictionary-ends-{len(o)}-{''.join(map(str, o))[-12:]}", pa.table(late), o
    nan, zero = float("nan"), 0.0
    for name, v in (("nan", [nan] * 40), ("nan-null", [nan, None] * 20), ("minus", [-zero] * 40), ("plus", [zero] * 40), ("both", [zero, -zero] * 20), ("mixed", [nan, -zero, 1.0, None] * 10),
                    ("signs", [-zero, -1.0, -zero, nan] * 10), ("inf", [float("inf"), float("-inf"), nan, None] * 10), ("pages", [nan] * 10 + [1.0] * 10 + [-zero] * 10 + [None] * 10)):
        for o in (["--page-rows", 10], ["--bloom", "--encoding", "split"], ["--encoding", "dictionary", "--page-rows", 7]):
            yield f"floats-{name}-{len(o)}-{o[0][2:]}", pa.table({"d": pa.array(v, pa.float64()), "f": pa.array(v, pa.float32()), "h": pa.array(v, pa.float16())}), o
    long = ["x" * 3000000, "x" * 2999999 + "y", "", None, "é" * 700000, "\0" * 100000, "a\0b", "\0", "日本" * 5000]
    for name, v, t in (("text", long, pa.string()), ("bytes", [None if x is None else x.encode() for x in long] + [bytes(range(256)) * 3000, b"\xff\xfe" * 9, b"\x80"], pa.binary())):
        for e in ("auto", "plain", "dictionary", "delta-length", "delta-bytes"):
            yield f"long-{name}-{e}", pa.table({"v": pa.array(v * 3, t)}), (["--encoding", e] if e != "auto" else []) + ["--bloom"]
        yield f"long-{name}-cdc", pa.table({"v": pa.array(v * 3, t), "l": pa.array([[x] for x in v * 3], pa.list_(t))}), ["--content-defined"]
    tall = columns_of(3000, FLAT[:20], .1)
    for codec in A.codecs.split(","):
        if codec == "none": continue
        for level in ([1, 5, 13, 19] if codec == "zstd" else [1, 9] if codec == "gzip" else [0]):
            yield f"codec-{codec}-{level}", tall, ["--codec", f"{codec}:{level}" if level else codec]
            yield f"codec-v2-{codec}-{level}", tall, ["--codec", f"{codec}:{level}" if level else codec, "--pages-v2"]
    for o in (["--no-crc"], ["--no-page-index"], ["--no-statistics"], ["--no-statistics", "--no-page-index", "--no-crc"], ["--bloom", "--no-page-index"], ["--page-bytes", 1], ["--row-group", 1], ["--chunk-min", 64, "--chunk-max", 64, "--content-defined"]):
        t = columns_of(40, FLAT, .3)
        yield f"option{''.join(map(str, o))}", t, o
    wide = "é" * 40 + "\U0010FFFF" * 40
    yield "bounds", pa.table({"s": pa.array(["\U0010FFFF" * 70, wide, "\x7f" * 200, "\u07ff" * 60, "\ud7ff" * 60, "\uffff" * 60, ""] * 4), "b": pa.array([b"\xff" * 200, b"\xfe" + b"\xff" * 100, b"", b"\0" * 200] * 7)}), ["--page-rows", 4]


def main():
    shutil.rmtree(A.dir, ignore_errors=True)
    os.makedirs(A.dir)
    con = duckdb.connect()
    skipped = special = 0
    pairs = open(os.path.join(A.dir, "pairs.txt"), "w")
    for name, table, options in extremes() if A.extremes is not None or A.count >= 200 else []:
        if A.extremes and not re.search(A.extremes, name): continue
        for arrow in (False, True) if LIB else (False,):
            skipped += one(con, pairs, name.replace("/", "_") + ("-stream" if arrow else ""), table, options, arrow)
            special += 1
    for seed in range(A.seed, A.seed + (A.count if A.extremes is None else 0)):
        R = random.Random(seed)
        arrow = LIB is not None and seed % 2 == 1
        table, options = make_table(R, arrow), make_options(R)
        skipped += one(con, pairs, seed, table, options, arrow)
    pairs.close()
    status = failures > 0
    if A.modules and shutil.which("node"):
        p = subprocess.run(["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "hyparquet.mjs"), A.modules, pairs.name])
        status = status or p.returncode != 0
    else:
        print("SKIPPED hyparquet: no node, or no --modules with it")
    print(f"{special} extremes, {A.count if A.extremes is None else 0} files from seed {A.seed}: {checks} checks, {failures} failures; DuckDB could not read {skipped} sources")
    return 1 if status else 0


sys.exit(main())
