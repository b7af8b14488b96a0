"""arrow.py LIBRARY TACO SHARED - the exported Arrow streams against pyarrow, DuckDB, polars and nanoarrow.

Every Parquet file of SHARED/corpora/parquet that is read, and every level of the datasets in SHARED/fixtures/good, is
compared cell by cell with what pyarrow reads from the file itself; DuckDB, polars and nanoarrow must give back what
they were given; the IPC stream of the tool must give the same again. What a peer cannot do is listed here, with the
reason, and counted. The last line says how many comparisons passed; the exit status is 0 when none failed.
"""
import collections
import ctypes
import gc
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

import duckdb
import nanoarrow
import polars
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from compare import has, tables_differ

LIB = ctypes.CDLL(os.path.abspath(sys.argv[1]))
TACO = sys.argv[2]
SHARED = sys.argv[3]
LIB.interop_live.restype = ctypes.c_int64

# ---- what cannot be compared, and why ----

# Our stream refuses these, by name: (what the message says, reason). Every other refusal is a failure.
REFUSED = [
    ("codec brotli", "Brotli, which this build has no decoder for"),
    ("not UTF-8", "text that is not UTF-8 (pyarrow passes it on)"),
]
# pyarrow reads these otherwise or not at all.
PYARROW = {
    "parquet-testing__data__incorrect_map_schema.parquet": "refuses optional map keys",
    "duckdb__data__parquet-testing__decimal__byte_array_decimal_empty_value.parquet": "refuses empty decimals",
    "hyparquet__files__issue23.parquet": "reads ENUM as bytes, not as text",
    "nanoparquet__tests__testthat__data__enum2.parquet": "reads ENUM as bytes, not as text",
    "duckdb__data__parquet-testing__complex.parquet": "reads ENUM as bytes, not as text",
}
PYARROW_FAILS = [("date value out of range", "the INT96 year -294554, which Python has no date for, and pyarrow wraps"),
                 ("InitBlock EOF", "ends early in DuckDB's DELTA_BINARY_PACKED pages")]
# Columns that a consumer has no type for: a test of the Arrow type.
DUCKDB_TYPES = [
    ("half floats", lambda t: pa.types.is_float16(t)),
    ("decimals of more than 38 digits", lambda t: pa.types.is_decimal256(t)),
]
POLARS_TYPES = [("decimals of more than 38 digits", lambda t: pa.types.is_decimal256(t))]
DUCKDB = {"duckdb__data__parquet-testing__silly-names.parquet": "gives a column without a name one"}
POLARS = {}
NANOARROW = {}

# ---- streams as Python objects ----

SIZE = 5 * ctypes.sizeof(ctypes.c_void_p)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
KEPT = {}


@DESTRUCTOR
def destroy(capsule):
    p = capsule_pointer(capsule, b"arrow_array_stream")
    LIB.interop_release(ctypes.c_void_p(p))
    KEPT.pop(p, None)


class Stream:
    """One export, to be consumed once."""

    def __init__(self, opener):
        self.opener = opener

    def __arrow_c_stream__(self, requested_schema=None):
        memory = ctypes.create_string_buffer(SIZE)
        text = ctypes.create_string_buffer(384)
        if self.opener(memory, text) != 0:
            raise OSError(text.value.decode())
        p = ctypes.addressof(memory)
        KEPT[p] = memory
        return new_capsule(p, b"arrow_array_stream", ctypes.cast(destroy, ctypes.c_void_p))


def parquet(path, columns=None, where=None, batch=0, memory=0):
    names = None
    if columns is not None:
        names = (ctypes.c_char_p * max(1, len(columns)))(*[c.encode() for c in columns])
    return Stream(lambda out, text: LIB.interop_parquet(
        path.encode(), names, ctypes.c_size_t(len(columns or [])), where.encode() if where else None,
        ctypes.c_size_t(batch), ctypes.c_uint64(memory), out, text))


def dataset(path, level, flat=False, columns=None, order=None):
    select = ", ".join('"' + c.replace('"', '""') + '"' for c in columns) if columns is not None else None
    return Stream(lambda out, text: LIB.interop_dataset(
        path.encode(), ctypes.c_uint32(level), ctypes.c_bool(flat), select.encode() if select else None,
        order.encode() if order else None, out, text))


# ---- counting ----

passed = collections.Counter()
listed = collections.Counter()
failed = []


def verdict(what, name, difference, known):
    """One comparison. A file that is listed must differ, otherwise the list is wrong."""
    if difference is None and name not in known:
        passed[what] += 1
    elif difference is not None and name in known:
        listed[f"{what}: {known[name]}"] += 1
    else:
        failed.append(f"{what}: {name}: {difference or 'listed as different, but it is not'}")


def attempt(make):
    """The value, or the message of what failed."""
    try:
        return make(), None
    except BaseException as e:  # a panic of polars is no Exception
        if isinstance(e, KeyboardInterrupt):
            raise
        lines = (str(e) or type(e).__name__).splitlines()
        return None, lines[0][:200] if lines else type(e).__name__


def without(table, types, what):
    """Positions of the columns that a consumer has a type for."""
    keep = []
    for i, f in enumerate(table.schema):
        reason = next((text for text, test in types if has(f.type, test)), None)
        if reason is None:
            keep.append(i)
        else:
            listed[f"{what}: column of {reason}"] += 1
    return keep


def through_duckdb(stream):
    rows = stream
    with duckdb.connect() as db:
        return db.sql("SELECT * FROM rows").to_arrow_table()


def through_polars(stream):
    return polars.DataFrame(stream).to_arrow(compat_level=polars.CompatLevel.oldest())


def through_nanoarrow(stream):
    rows = nanoarrow.Array(stream)
    table = pa.table(rows)
    for i, f in enumerate(table.schema):  # it reads itself what it has simple Python values for
        if pa.types.is_integer(f.type) or pa.types.is_boolean(f.type) or pa.types.is_string(f.type):
            values = [v for chunk in rows.iter_chunks() for v in chunk.child(i).to_pylist()]
            if values != table.column(i).to_pylist():
                raise ValueError(f"nanoarrow reads {f.name!r} differently")
    return table


def through_tool(args):
    out = subprocess.run([TACO] + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if out.returncode:
        raise OSError(out.stderr.decode(errors="replace"))
    with pa.ipc.open_stream(io.BytesIO(out.stdout)) as reader:
        return reader.read_all()


def consumers(name, table, stream, tool):
    """The same rows through the others: stream(columns) makes a stream of them, tool the arguments of the tool."""
    for what, types, through, known in (("duckdb", DUCKDB_TYPES, through_duckdb, DUCKDB),
                                        ("polars", POLARS_TYPES, through_polars, POLARS),
                                        ("nanoarrow", [], through_nanoarrow, NANOARROW)):
        keep = without(table, types, what)
        names = [table.schema.names[i] for i in keep]
        unique = len(set(n.lower() for n in names)) == len(names)
        if not keep or (what != "nanoarrow" and not unique):
            listed[f"{what}: no columns it has types for, or two of one name"] += 1
            continue
        got, error = attempt(lambda: through(stream(names if len(keep) < table.num_columns else None)))
        verdict(what, name, error or tables_differ(got, table.select(keep)), known)
    got, error = attempt(lambda: through_tool(tool))
    verdict("ipc", name, error or tables_differ(got, table), {})


def unit_of(t):
    """The unit of the timestamp in a type, None without one."""
    if pa.types.is_timestamp(t):
        return t.unit
    return next((u for u in (unit_of(t.field(i).type) for i in range(t.num_fields)) if u), None)


def by_pyarrow(path, ours):
    """The file as pyarrow has it, with INT96 in the units that we chose: in nanoseconds it wraps silently."""
    theirs = pq.ParquetFile(path).read()
    for unit in {unit_of(t) for t in ours.schema.types} - {None, "s", "ns"}:
        coarse = pq.ParquetFile(path, coerce_int96_timestamp_unit=unit).read()
        for i, t in enumerate(ours.schema.types[: theirs.num_columns]):
            if unit_of(t) == unit and theirs.schema.field(i).type != t:
                theirs = theirs.set_column(i, coarse.schema.field(i), coarse.column(i))
    return theirs


def corpus():
    manifest = json.load(open(os.path.join(SHARED, "corpora/parquet/manifest.json")))
    for entry in manifest:
        name = entry["id"]
        path = os.path.join(SHARED, "corpora/parquet/files", name)
        ours, error = attempt(lambda: pa.RecordBatchReader.from_stream(parquet(path)).read_all())
        if error is not None:
            if entry["class"] == "rows":
                reason = next((text for part, text in REFUSED if part in error), None)
                verdict("stream", name, error, {name: reason} if reason else {})
            continue
        bad = attempt(lambda: ours.validate(full=True))[1]
        verdict("valid", name, bad, {})
        theirs, error = attempt(lambda: by_pyarrow(path, ours))
        if error is None:
            error = attempt(lambda: tables_differ(ours, theirs))
            error = error[1] or error[0]
        if entry["class"] == "rows" or error is None:  # of the other classes anything may be made
            reason = next((text for part, text in PYARROW_FAILS if part in (error or "")), None)
            verdict("pyarrow", name, error, {name: reason} if reason else PYARROW)
        consumers(name, ours, lambda columns: parquet(path, columns), ["parquet", "cat", path, "--format", "arrow"])


def fixtures():
    """Level tables of the datasets, out of the archives and FOLDERs, and the same rows as the dataset gives them."""
    for path in sorted(glob.glob(os.path.join(SHARED, "fixtures/good/**"), recursive=True, include_hidden=True)):
        name = os.path.relpath(path, os.path.join(SHARED, "fixtures/good"))
        if path.endswith(".parquet"):
            level_file(name, path)
        elif path.endswith((".tacozip", ".zip")):
            with zipfile.ZipFile(path) as archive:
                members = sorted(m for m in archive.namelist() if re.fullmatch(r"METADATA/level\d\.parquet", m))
                for level, member in enumerate(members):
                    with tempfile.NamedTemporaryFile(suffix=".parquet") as f:
                        f.write(archive.read(member))
                        f.flush()
                        theirs = level_file(f"{name}:{member}", f.name)
                    if theirs is not None:
                        cursor(name, path, level, theirs)
        elif os.path.exists(os.path.join(path, "METADATA/level0.parquet")):
            for level, member in enumerate(sorted(glob.glob(os.path.join(path, "METADATA/level*.parquet")))):
                cursor(name, path, level, pq.ParquetFile(member).read())


def level_file(name, path):
    ours, error = attempt(lambda: pa.RecordBatchReader.from_stream(parquet(path, batch=1 + len(name) % 7)).read_all())
    if error is not None:
        reason = next((text for part, text in REFUSED if part in error), None)
        verdict("stream", name, error, {name: reason} if reason else {})
        return None
    verdict("valid", name, attempt(lambda: ours.validate(full=True))[1], {})
    theirs = pq.ParquetFile(path).read()
    verdict("pyarrow", name, tables_differ(ours, theirs), {})
    consumers(name, ours, lambda columns: parquet(path, columns), ["parquet", "cat", path, "--format", "arrow"])
    return theirs


def cursor(name, path, level, theirs):
    """The dataset's own rows: padding hidden, internal:gdal_vsi at the end."""
    ids = theirs.column("id").to_pylist()
    keep = [not (i or "").startswith("__TACOPAD__") for i in ids]
    theirs = theirs.filter(pa.array(keep, pa.bool_()))
    ours, error = attempt(lambda: pa.RecordBatchReader.from_stream(dataset(path, level)).read_all())
    if error is None and ours.schema.names[-1] != "internal:gdal_vsi":
        error = "no internal:gdal_vsi"
    error = error or attempt(lambda: ours.validate(full=True))[1]
    gone, places = ["internal:gdal_vsi"], ["internal:offset", "internal:size"]
    if level and "refbug_unsorted" in name:  # places that the file has wrong are replaced: places.py compares the bytes
        gone, theirs = gone + places, theirs.drop_columns(places)
    error = error or tables_differ(ours.drop_columns(gone), theirs)
    verdict("dataset", f"{name} level {level}", error, {})
    if error:
        return
    tool = ["query", path, "--table", f"level{level}", "--format", "arrow"]
    consumers(f"{name} level {level}", ours, lambda columns: dataset(path, level, columns=columns), tool)
    ordered, error = attempt(lambda: pa.RecordBatchReader.from_stream(dataset(path, level, order="id desc")).read_all())
    if error is None:  # ties stay in storage order, nulls last
        ids = ours.column("id").to_pylist()
        index = sorted(range(len(ids)), key=lambda i: (ids[i] or "").encode(), reverse=True)
        index.sort(key=lambda i: ids[i] is None)
        error = tables_differ(ordered, ours.take(index))
    verdict("ordered", f"{name} level {level}", error, {})


def releases():
    """Half-consumed streams, arrays that outlive them, consumers that fail: nothing stays allocated."""
    path = os.path.join(SHARED, "fixtures/good/many_rg/many_rg.tacozip")
    with zipfile.ZipFile(path) as archive, tempfile.NamedTemporaryFile(suffix=".parquet") as f:
        f.write(archive.read("METADATA/level0.parquet"))
        f.flush()
        file = f.name
        makers = {"file": lambda: parquet(file, batch=100), "dataset": lambda: dataset(path, 0),
                  "sorted": lambda: dataset(path, 0, order="id desc"), "flat": lambda: dataset(path, 0, flat=True)}
        for what, make in makers.items():
            for left in range(4):
                gc.collect()
                before = LIB.interop_live()
                reader = pa.RecordBatchReader.from_stream(make())
                held = [reader.read_next_batch() for _ in range(left)] if what == "file" else list(reader)[:left]
                if left % 2:
                    reader.close()
                del reader
                gc.collect()
                text = [str(b.column(0)[0]) for b in held]
                error = None if len(text) == len(held) else "arrays died with their stream"
                del held
                gc.collect()
                kept = LIB.interop_live() - before
                verdict("release", f"{what}, {left} batches kept", f"{kept} bytes left" if kept else error, {})
        before = LIB.interop_live()
        make = makers["file"]
        make().__arrow_c_stream__()  # a capsule that nobody consumes
        for rows in nanoarrow.ArrayStream(make()):
            break
        del rows
        with duckdb.connect() as db:
            rows = make()
            db.sql("SELECT * FROM rows LIMIT 1").fetchall()
            del rows
        polars.DataFrame(make()).head(1)
        gc.collect()
        kept = LIB.interop_live() - before
        verdict("release", "a row each for nanoarrow, DuckDB and polars", f"{kept} bytes left" if kept else None, {})
        text = attempt(lambda: pa.table(parquet(file, memory=50000)))[1] or ""
        gc.collect()
        kept = LIB.interop_live() - before
        verdict("release", "after an error", f"{kept} bytes left" if kept else
                None if "limits.max_memory" in text else f"no error of the budget: {text}", {})
        everything = attempt(lambda: pa.RecordBatchReader.from_stream(parquet(file, memory=4 << 20)).read_all())[1]
        verdict("release", "all rows under a budget", everything, {})


def pipes():
    """The tool at the other end of a pipe."""
    path = os.path.join(SHARED, "fixtures/good/many_rg/many_rg.tacozip")
    args = [TACO, "query", path, "--format", "arrow"]
    wanted = pa.RecordBatchReader.from_stream(dataset(path, 0)).read_all()

    def through(read):
        with subprocess.Popen(args, stdout=subprocess.PIPE) as tool:
            return read(tool.stdout)

    def into_duckdb(pipe):
        rows = pa.ipc.open_stream(pipe)  # batches go on as they come
        with duckdb.connect() as db:
            return db.sql("SELECT * FROM rows").to_arrow_table()

    for what, read in (("pyarrow", lambda pipe: pa.ipc.open_stream(pipe).read_all()), ("duckdb", into_duckdb),
                       ("polars", lambda pipe: polars.read_ipc_stream(pipe).to_arrow()),
                       ("nanoarrow", lambda pipe: pa.table(nanoarrow.ArrayStream.from_readable(pipe)))):
        got, error = attempt(lambda: through(read))
        verdict("pipe", what, error or tables_differ(got, wanted), {})


def main():
    corpus()
    fixtures()
    pipes()
    gc.collect()
    verdict("release", "everything", f"{LIB.interop_live()} bytes left" if LIB.interop_live() else None, {})
    releases()
    for text, n in sorted(listed.items()):
        print(f"listed {n:4} {text}")
    for text in failed:
        print("FAIL", text)
    print(", ".join(f"{what} {n}" for what, n in sorted(passed.items())))
    print(f"arrow interop: {sum(passed.values())} passed, {sum(listed.values())} listed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
