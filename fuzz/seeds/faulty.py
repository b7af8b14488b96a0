#!/usr/bin/env python3
"""faulty.py - makes fuzz/seeds/validate, zip and avro again: small files with many faults at once. Needs pyarrow.

One table for each kind of fault of values, one for wrong types; documents whose members have the wrong form, and levels that
contradict each other; end records, directories and local headers of ZIP64 and of archives that are refused; every type and schema of Avro."""
import io, json, math, os, struct, zlib
import pyarrow as pa, pyarrow.parquet as pq

os.chdir(os.path.dirname(os.path.abspath(__file__)))
END = b"PK\5\6"


def parquet(columns, codec="none", text=None, **more):
    out = io.BytesIO()
    names = [n for n, _ in columns]
    table = pa.Table.from_arrays([v if isinstance(v, (pa.Array, pa.ChunkedArray)) else pa.array(v) for _, v in columns], names=names)
    rows = more.pop("row_group_size", None)
    with pq.ParquetWriter(out, table.schema, **dict({"compression": codec, "write_statistics": False}, **more)) as w:
        w.write_table(table, rows)
        if text: w.add_key_value_metadata({"_": text})
    return out.getvalue()


def local(name, data, method=0, flags=0, size=None, csize=None, extra=b"", crc=None):
    n = name.encode()
    size, csize = len(data) if size is None else size, len(data) if csize is None else csize
    return struct.pack("<4sHHHIIIIHH", b"PK\3\4", 10, flags, method, 0x21 << 16, zlib.crc32(data) if crc is None else crc, csize, size, len(n), len(extra)) + n + extra + data


def central(name, data, at, method=0, flags=0, size=None, csize=None, extra=b"", disk=0):
    n = name.encode()
    size, csize = len(data) if size is None else size, len(data) if csize is None else csize
    return struct.pack("<4sHHHHIIIIHHHHHII", b"PK\1\2", 63, 10, flags, method, 0x21 << 16, zlib.crc32(data), csize, size, len(n), len(extra), 0, disk, 0,
                       0o644 << 16, at) + n + extra


def end(count, size, at, disk=0, comment=b""):
    return struct.pack("<4sHHHHIIH", END, disk, disk, min(count, 0xFFFF), min(count, 0xFFFF), min(size, 0xFFFFFFFF), min(at, 0xFFFFFFFF), len(comment)) + comment


def archive(entries, header=None):
    """entries: (name, bytes), level tables and COLLECTION.json last; header: the number of those."""
    out, directory, places = bytearray(local("TACO_HEADER", bytes(116))), b"", []
    for name, data in entries:
        at = len(out)
        out += local(name, data)
        directory += central(name, data, at)
        if name.startswith("METADATA/") or name == "COLLECTION.json":
            places.append((len(out) - len(data), len(data)))
    struct.pack_into("<BBBB", out, 41, header if header is not None else len(places), 0, 0, 0)
    for i, (at, size) in enumerate(places[:7]):
        struct.pack_into("<QQ", out, 45 + 16 * i, at, size)
    struct.pack_into("<I", out, 14, zlib.crc32(bytes(out[41:157])))
    directory = central("TACO_HEADER", bytes(out[41:157]), 0) + directory
    return bytes(out) + directory + end(len(entries) + 1, len(directory), len(out))


GOOD = {"id": "demo", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "providers": [{"name": "x", "roles": ["host"]}],
        "tasks": ["other"], "extent": {"spatial": [-1, -1, 1, 1], "temporal": None}}
PLAIN = dict(GOOD, **{"taco:pit_schema": {"root": {"n": 1, "type": "FILE"}, "hierarchy": {}}, "taco:field_schema": {"level0": []}})


def dataset(columns, document=None, children=None, pit=None):
    n = len(columns[0][1])
    entries = [("DATA/s%d" % i, b"payload %d" % i) for i in range(n)] if not children else []
    types = [v for k, v in columns if k == "type"]
    doc = dict(GOOD, **{"taco:pit_schema": pit or {"root": {"n": n, "type": str(types[0][0]) if types else "FILE"}, "hierarchy": {}},
                        "taco:field_schema": {"level0": [[k, "string", ""] for k, _ in columns]}})
    doc.update(document or {})
    if children:
        entries += [(name, data) for name, data in children]
    entries.append(("METADATA/level0.parquet", parquet(columns)))
    if children:
        entries.append(("METADATA/level1.parquet", dict(children)["level1"]))
        entries = [e for e in entries if e[0] != "level1"]
    entries.append(("COLLECTION.json", json.dumps(doc).encode()))
    return archive(entries)


def ids(n):
    return [("id", ["s%d" % i for i in range(n)]), ("type", ["FILE"] * n)]


def places(n):
    """internal:offset and size of the payloads of `dataset`, which come first."""
    at, offsets = 157, []
    for i in range(n):
        at += 30 + len("DATA/s%d" % i)
        offsets.append(at)
        at += len("payload %d" % i)
    return [("internal:current_id", list(range(n))), ("internal:parent_id", list(range(n))), ("internal:offset", offsets),
            ("internal:size", [len("payload %d" % i) for i in range(n)])]


def point(x, y, order="<", kind=1):
    return struct.pack(order + "BIdd", order == "<", kind, x, y)


N = 8
f64 = pa.list_(pa.float64())
STATS = pa.list_(pa.list_(pa.float32()))
values = [
    ("stac:crs", ["", "EPSG:4326", "EPSG:", "x" * 90, None, "EPSG:99999999", "a\0b", "\u00e9"]),
    ("stac:tensor_shape", pa.array([[1, -2], [0], [], None, [1, None], [2 ** 62, 2 ** 62], [3, 4, 5], [7]], pa.list_(pa.int64()))),
    ("stac:geotransform", pa.array([[0, 1, 0, 0, 0], [math.nan] * 6, [math.inf] * 6, [0] * 6, [500000, 10, 0, 4000000, 0, -10], [], None, [1, None, 3, 4, 5, 6]], f64)),
    ("stac:time_start", pa.array([0, 5, 9, None, -2 ** 62, 2 ** 62, 1, 7], pa.timestamp("us"))),
    ("stac:time_end", pa.array([1, 4, 8, 3, None, -5, 1, 7], pa.timestamp("us"))),
    ("stac:time_middle", pa.array([9, 9, 9, 9, 9, 9, 9, None], pa.timestamp("us"))),
    ("stac:centroid", [b"", b"\1", point(200, 95), point(math.nan, math.nan), point(1, 1, ">"), point(0, 0, "<", 2), None, point(1, 2)]),
    ("istac:geometry", [b"\1\7\0\0\0\0\0\0\0", point(1, 2), b"\2", struct.pack("<BIII", 1, 3, 1, 2), b"\1\3\0\0\0\0\0\0\0", None, b"\1" * 40, point(1, 2)]),
    ("istac:crs", ["", "WGS84", None, "", "EPSG:1", "EPSG:x", "OGC:CRS84", "x"]),
    ("split", ["train", "Train", "", None, "val", "validation", "test", "\u00e9"]),
    ("scaling:scale_factor", pa.array([[0.0], [math.nan], [], None, [1, 2], [math.inf], [-1], [1, None]], f64)),
    ("scaling:scale_offset", pa.array([[0.0], [math.nan], [], None, [1], [math.inf], [-1], [1, None]], f64)),
    ("scaling:padding", pa.array([[1, 2], [1, 2, 3, 4], [-1] * 4, [], None, [2 ** 62] * 4, [0] * 4, [0] * 5], pa.list_(pa.int64()))),
    ("majortom:code", ["0100km_0003U_0005R", "0100km_0003U_0005X", "km", "", None, "1km_1D_", "99km__2U__3L", "1km1U1L"]),
    ("spatialgroup:code", ["", "a", None, "b", "c", "d", "e", "f"]),
    ("geotiff:stats", pa.array([[[1, 2, 3, 4, 5, 6, 7, 8, 9]], [[1]], [], None, [[math.nan] * 9], [[]], [None], [[9, 8, 7, 6, 5, 4, 3, 2, 1]] * 3], STATS)),
    ("geoenrich:elevation", [1.0, math.nan, None, math.inf, -1e300, 0.0, 5.0, 6.0]),
    ("geoenrich:admin_countries", ["", None, "x", "y", "z", "a", "b", "c"]),
]
wrong = [
    ("stac:crs", list(range(3))), ("stac:tensor_shape", ["a", "b", "c"]), ("stac:geotransform", [1, 2, 3]), ("stac:time_start", ["2020", "x", None]),
    ("stac:centroid", ["a", "b", "c"]), ("istac:geometry", [1.5, 2, 3]), ("split", [True, False, None]), ("scaling:scale_factor", ["x", "y", "z"]),
    ("scaling:scale_offset", [True, False, True]), ("scaling:padding", [1, 2, 3]), ("majortom:code", [1, 2, 3]), ("geotiff:stats", [1.0, 2.0, 3.0]),
    ("geoenrich:elevation", ["a", "b", "c"]), ("geoenrich:admin_states", [1, 2, 3]), ("istac:time_end", [1.0, 2.0, 3.0]),
    ("nested", pa.array([{"a": 1}, {"a": None}, None])), ("map", pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int32()))),
]
VALIDATE = {
    "values": dataset(ids(N) + values + places(N)),
    "types": dataset(ids(3) + wrong + places(3)),
    "times": dataset(ids(3) + [("stac:time_start", pa.array([5, 9, 1], pa.timestamp("ms"))), ("stac:time_end", pa.array([4, 9, None], pa.timestamp("ns"))),
                               ("istac:time_start", pa.array([1, 2, 3], pa.date32()))] + places(3)),
    "ids": dataset([("id", ["a", "a", "", "x/y", "..", ".", "con", "__TACOPAD__0", "a:b", "e\u0301", None, "t\n"]),
                    ("type", ["FILE", "FOLDER", "", "file", "FILE", None, "FILE", "FILE", "FILE", "FILE", "FILE", "FILE"])] +
                   [(k, v[:12] if isinstance(v, list) else v) for k, v in places(12)]),
    "places": dataset(ids(4) + [("internal:current_id", [0, 0, -1, 9]), ("internal:parent_id", [0, -1, 2, 5]), ("internal:offset", [0, -1, 2 ** 62, 170]),
                                ("internal:size", [5, 2 ** 62, -1, 0])]),
    "no_columns": dataset([("x", [1, 2])]),
    "strange_columns": dataset([("id", [1, 2]), ("type", [b"FILE", b"FOLDER"]), ("internal:offset", ["1", "2"]), ("internal:size", [1.5, None]),
                                ("internal:current_id", ["a", "b"]), ("internal:parent_id", pa.array([1, 2], pa.int8())), ("internal:gdal_vsi", ["", "x"])],
                               pit={"root": {"n": 2, "type": "FILE"}, "hierarchy": {}}),
    "document": dataset(ids(2) + places(2), {
        "id": "", "dataset_version": 5, "description": None, "licenses": [], "providers": [3, {"name": ""}, {"roles": ["x"]}, {"name": "n", "roles": "host", "links": 4}],
        "tasks": ["nope", 4, "segmentation"], "extent": {"spatial": [1, 2, 3], "temporal": ["a", 5]}, "keywords": "k", "title": "\u00e9" * 300, "curators": [{"name": 1}],
        "publications": [{"doi": 5}, {}], "citation": 7, "taco_version": "x", "taco:field_schema": {"level0": [["id"], 3, ["type", 4, 5]], "level9": {}, "x": []}}),
    "document_two": dataset(ids(2) + places(2), {
        "id": "A b/c", "dataset_version": "", "licenses": "MIT", "providers": {}, "tasks": {}, "title": "", "keywords": ["", 5],
        "extent": {"spatial": [10, 95, -190, -1e300], "temporal": ["2021-01-01T00:00:00Z", "2020-01-01T00:00:00Z"]}, "taco:field_schema": []}),
    "document_three": dataset(ids(2) + places(2), {
        "id": "caf\u00e9 " + "x" * 300, "licenses": ["", "MIT"], "tasks": [], "extent": [1], "keywords": [], "providers": [{"name": "n", "url": 5, "roles": ["host", 3, ""]}],
        "taco:pit_schema": {"root": {"n": 3, "type": "FOLDER"}, "hierarchy": {"1": [{"n": 6, "type": ["FILE"], "id": ["x"]}], "3": []}}}),
    **{"pit_%d" % i: dataset(ids(2) + places(2), {"taco:pit_schema": s}) for i, s in enumerate([
        {"root": {"n": "2", "type": "FILE"}, "hierarchy": {}}, {"root": {"n": 2, "type": 5}, "hierarchy": {}}, {"root": 5, "hierarchy": {}},
        {"root": {"n": 2, "type": "FILE"}, "hierarchy": []}, {"root": {"n": 2, "type": "FILE"}, "hierarchy": {"x": []}},
        {"root": {"n": 2, "type": "FILE"}, "hierarchy": {"1": [{"n": -1, "type": ["FILE"], "id": ["a"]}]}},
        {"root": {"n": 2, "type": "FOLDER"}, "hierarchy": {"1": [{"n": 2, "type": ["FILE", "x"], "id": ["a", 5]}, 7], "2": 5}}, [], None])},
    "document_bare": archive([("METADATA/level0.parquet", parquet(ids(1))), ("COLLECTION.json", b"[]")]),
    "levels": dataset([("id", ["f", "g"]), ("type", ["FOLDER", "FOLDER"]), ("internal:current_id", [0, 1]), ("internal:parent_id", [0, 1]),
                       ("internal:offset", [1, 2]), ("internal:size", [3, 4])],
                      children=[("DATA/f/a", b"1"), ("DATA/f/__meta__", parquet([("id", ["a"]), ("type", ["FILE"]), ("internal:parent_id", [4])])),
                                ("level1", parquet([("id", ["a", "b", "b", "c"]), ("type", ["FILE", "FILE", "FOLDER", "FILE"]), ("internal:current_id", [0, 1, 2, 3]),
                                                    ("internal:parent_id", [0, 7, -1, 0]), ("internal:relative_path", ["f/a", "x", "", None]),
                                                    ("internal:offset", [195, 1, 2, 3]), ("internal:size", [1, 1, 1, 1])]))],
                      pit={"root": {"n": 2, "type": "FOLDER"}, "hierarchy": {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["a", "b"]}]}}),
    "no_tables": archive([("DATA/a", b"1"), ("COLLECTION.json", json.dumps(PLAIN).encode())], header=1),
    "text_for_table": archive([("METADATA/level0.parquet", b"PAR1 no table PAR1"), ("COLLECTION.json", json.dumps(PLAIN).encode())]),
}


def zip64(count=1, size=None, at=None, disk=0, length=44, end64=None, narrow=True, disks=1, odd=b""):
    body = local("DATA/big", b"abc", size=0xFFFFFFFF, csize=0xFFFFFFFF, extra=struct.pack("<HHQQ", 1, 16, 3, 3))
    entry = central("DATA/big", b"abc", 0xFFFFFFFF, size=0xFFFFFFFF, csize=0xFFFFFFFF, extra=struct.pack("<HHH", 0x5455, 2, 7) + struct.pack("<HHQQQ", 1, 24, 3, 3, 0) + odd)
    size, at = len(entry) if size is None else size, len(body) if at is None else at
    e64 = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", length, 63, 45, disk, disk, count, count, size, at)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, len(body) + len(entry) if end64 is None else end64, disks)
    return body + entry + e64 + locator + (end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF) if narrow else end(1, len(entry), len(body)))


def single(directory={}, header={}, at=0, tail=b"", name="DATA/a", data=b"abcdef"):
    body, entry = local(name, data, **header), central(name, data, at, **directory)
    return body + entry + end(1, len(entry), len(body)) + tail


ZIP = {
    "zip64": zip64(), "zip64_agrees": zip64(narrow=False), "zip64_count": zip64(count=5), "zip64_size": zip64(size=10 ** 12), "zip64_at": zip64(at=2 ** 63),
    "zip64_disks": zip64(disk=3), "zip64_locator": zip64(disks=9), "zip64_length": zip64(length=9), "zip64_long": zip64(length=99), "zip64_place": zip64(end64=3),
    "zip64_nowhere": zip64(end64=0), "zip64_beyond": zip64(end64=2 ** 60), "zip64_field": zip64(odd=b"\1"),
    "zip64_short_field": single({"size": 0xFFFFFFFF, "csize": 0xFFFFFFFF, "extra": struct.pack("<HHI", 1, 4, 3)}),
    "zip64_cut_field": single({"size": 0xFFFFFFFF, "csize": 0xFFFFFFFF, "extra": struct.pack("<HHI", 1, 16, 3)}),
    "zip64_no_field": single({"size": 0xFFFFFFFF, "csize": 0xFFFFFFFF}),
    "deflated": single({"method": 8}, {"method": 8}), "method": single({}, {"method": 8}), "encrypted": single({"flags": 1}, {"flags": 1}),
    "sizes": single({"size": 9}), "local_sizes": single({}, {"size": 9, "csize": 9}), "local_place": single(at=7), "local_beyond": single(at=2 ** 31),
    "disk": single({"disk": 4}), "data_beyond": single({"size": 999, "csize": 999}, {"size": 999, "csize": 999}), "comment": single(tail=b"")[:-2] + b"\4\0" + END,
    "streamed": single({"flags": 8}, {"flags": 8, "size": 0, "csize": 0, "crc": 0}) , "cut": single()[:-30], "long_name": single(name="n" * 3000),
    "local_name": single()[:30] + b"DATA/b" + single()[36:],
}

# Avro 1.11: object container files of one block; data are the bytes of its records
def long(n):
    n, out = n << 1 ^ n >> 63, b""
    while n >= 0x80:
        out, n = out + bytes([n & 0x7F | 0x80]), n >> 7
    return out + bytes([n])


def text(s):
    s = s if isinstance(s, bytes) else s.encode()
    return long(len(s)) + s


def avro(schema, data, count=1, codec="null", sync=b"0123456789abcdef", size=None):
    schema = schema if isinstance(schema, str) else json.dumps(schema)
    head = b"Obj\1" + long(2) + text("avro.schema") + text(schema) + text("avro.codec") + text(codec) + long(0) + b"0123456789abcdef"
    return head + long(count) + long(len(data) if size is None else size) + data + sync


def record(*types):
    return {"type": "record", "name": "r", "fields": [{"name": "c%d" % i, "type": t} for i, t in enumerate(types)]}


def logical(type, kind, **more):
    return dict({"type": type, "logicalType": kind}, **more)


ENUM = {"type": "enum", "name": "e", "symbols": ["A", "B"]}
FIXED = {"type": "fixed", "name": "f", "size": 4}
ALL = record("null", "boolean", "int", "long", "float", "double", "bytes", "string", ENUM, FIXED, ["null", "long"], ["long", "null"], "e", ["null", "f"])
ONE = b"\1" + long(-7) + long(2 ** 62) + struct.pack("<fd", 1.5, math.nan) + text(b"\0\1") + text("x") + long(1) + b"abcd" + long(0) + long(0) + long(5) + long(0) + long(1) + b"efgh"
TIMES = record(logical("int", "date"), logical("int", "time-millis"), logical("long", "time-micros"), logical("long", "timestamp-millis"),
               logical("long", "timestamp-micros"), logical("long", "local-timestamp-micros"), logical("long", "timestamp-nanos"), logical("string", "uuid"),
               logical("bytes", "decimal", precision=9, scale=2), logical("fixed", "decimal", name="d", size=5, precision=11), logical("fixed", "duration", name="u", size=12),
               logical("fixed", "uuid", name="v", size=16), logical("bytes", "decimal", precision=99), logical("bytes", "decimal"), logical("long", "unknown"))
LISTS = record({"type": "array", "items": "long"}, {"type": "map", "values": "double"}, {"type": "array", "items": {"type": "array", "items": ["null", "string"]}},
               {"type": "map", "values": record("int", "string")}, {"type": "array", "items": "null"})
ITEMS = (long(2) + long(1) + long(2) + long(-1) + long(1) + long(3) + long(0) + long(1) + text("k") + struct.pack("<d", 2) + long(0) +
         long(2) + long(1) + long(1) + text("x") + long(0) + long(0) + long(0) + long(1) + text("m") + long(4) + text("n") + long(0) + long(3) + long(0))
AVRO = {
    "all": avro(ALL, ONE * 2, 2), "all_deflate": avro(ALL, zlib.compress(ONE * 3)[2:-4], 3, "deflate"), "all_cut": avro(ALL, ONE[:-3]), "all_more": avro(ALL, ONE + b"x"),
    "times": avro(TIMES, b"".join(long(k) for k in range(7)) + text("a" * 36) + text(b"\1\2") + b"\xFF" * 5 + bytes(range(12)) + bytes(16) + text(b"1") + text(b"2") + long(3)),
    "lists": avro(LISTS, ITEMS * 2, 2), "lists_cut": avro(LISTS, ITEMS[:9]), "lists_many": avro(LISTS, long(2 ** 40) + ITEMS), "lists_size": avro(LISTS, long(-2) + long(999) + ITEMS),
    "nothing": avro(record("null"), b"", 1000), "nothing_many": avro(record("null"), b"", 2 ** 50),
    "int_wide": avro(record("int"), long(2 ** 40)), "boolean": avro(record("boolean"), b"\7"), "symbol": avro(record(ENUM), long(9)), "branch": avro(record(["null", "int"]), long(4)),
    "length": avro(record("string"), long(-3)), "length_beyond": avro(record("bytes"), long(10 ** 9) + b"x"), "sync": avro(record("int"), long(1), sync=b"x" * 16),
    "block_size": avro(record("int"), long(1), size=99), "block_negative": avro(record("int"), long(1), size=-1), "count": avro(record("int"), long(1), count=-5),
    "codec": avro(record("int"), long(1), codec="xz"), "snappy": avro(record("int"), bytes([1, 0, 2]) + struct.pack(">I", zlib.crc32(b"\2")), codec="snappy"),
    "zstandard": avro(record("int"), b"\x28\xb5\x2f\xfd\0\0\x09\0\0\2", codec="zstandard"),
    "names": avro({"type": "record", "name": "a.b.r", "aliases": ["x"], "fields": [{"name": "p", "type": {"type": "fixed", "name": "q", "namespace": "n.m", "size": 2}},
                   {"name": "s", "type": "n.m.q"}, {"name": "t", "type": {"type": "enum", "name": "z", "symbols": []}}, {"name": "u", "type": "a.b.z"}, {"name": "v", "type": "z"}]}, b"aabb"),
    "itself": avro({"type": "record", "name": "r", "fields": [{"name": "c", "type": ["null", "r"]}]}, long(0)),
    "doubles": avro(record(*[{"type": "record", "name": "r%d" % i, "fields": [{"name": k, "type": "r%d" % (i - 1) if i else "int"} for k in "abcd"]} for i in range(12)]), b""),
    "deep": avro(record(json.loads('{"type": "array", "items": ' * 150 + '"int"' + "}" * 150)), long(0)),
    **{"schema_%d" % i: avro(x, long(1)) for i, x in enumerate([
        "", "{", "5", '"int"', "[]", "null", '{"type": 5}', record("no_such"), record({"type": "array"}), record({"type": "map"}), record({"type": "fixed", "name": "f"}),
        record({"type": "fixed", "name": "f", "size": 0}), record({"type": "fixed", "name": "f", "size": 2 ** 40}), record({"type": "fixed", "name": "f", "size": -1}),
        record({"type": "enum", "name": "e"}), record({"type": "enum", "name": "e", "symbols": 5}), record(["int", ["null", "int"]]), record(["int", "string"]), record([]),
        record(["null"]), record(["null", "null"]), record({"type": {"type": "long"}}), record({"type": {"type": 7}}), record(5), record(True), {"type": "record", "name": "r"},
        {"type": "record", "fields": []}, {"type": "record", "name": "r", "fields": [5]}, {"type": "record", "name": "r", "fields": [{"type": "int"}]},
        {"type": "record", "name": "r", "fields": [{"name": "", "type": "int"}, {"name": "", "type": "int"}]}, record({"type": "error", "name": "x", "fields": []}),
        record(FIXED, FIXED), record({"type": "record", "name": "in", "fields": []})])},
}


def write(**folders):
    for folder, seeds in folders.items():
        os.makedirs(folder, exist_ok=True)
        for name, data in seeds.items():
            with open("%s/%s" % (folder, name), "wb") as f:
                f.write(data)


if __name__ == "__main__":
    write(validate=VALIDATE, zip=ZIP, avro=AVRO)
