#!/usr/bin/env python3
"""damaged.py TACO DIR - archives, folders and catalogues with one thing wrong each; `taco validate --deep --json` must name it.

Run with a Python that has pyarrow. The variants are made here, from one good dataset of two levels: what is wrong is said in
VARIANTS, beside a pattern that a problem must match. The dataset itself must be valid, and what is marked OK, too."""
import copy, json, os, re, shutil, struct, subprocess, sys, zlib
import pyarrow as pa, pyarrow.parquet as pq

TACO, DIR = map(os.path.abspath, sys.argv[1:3])
COLLECTION = {
    "id": "bad", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"],
    "providers": [{"name": "x", "roles": None, "url": None, "links": None}], "tasks": ["classification"], "taco_version": "0.5.0",
    "title": None, "curators": None, "keywords": None, "extent": {"spatial": [-180.0, -90.0, 180.0, 90.0], "temporal": None},
    "taco:pit_schema": {"root": {"n": 2, "type": "FOLDER"}, "shape": [2, 2],
                        "hierarchy": {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["x", "y"]}]}},
    "taco:field_schema": {"level0": [["id", "string", ""]], "level1": [["id", "string", ""]]}}


class Archive:
    """A dataset in parts, each of which a variant may change before bytes are made of it."""
    def __init__(self):
        self.folders, self.files = ["f0", "f1"], ["x", "y"]
        self.collection = copy.deepcopy(COLLECTION)
        self.payload = lambda f, c: ("payload of %s/%s" % (f, c)).encode()
        self.table = lambda name, columns: columns  # edits of a table: {column: list}
        self.write = lambda name, table: None       # or bytes instead of Parquet
        self.entry = lambda name, e: None           # edits of an entry: crc size csize method flags name lname lcrc lsize lflags data
        self.header = lambda ranges: None           # edits of the list of (offset, size)
        self.head = {}                              # count, name, crc, pad
        self.eocd = {}
        self.order = lambda names: names
        self.skip = set()
        self.text = None

    def parquet(self, name, columns):
        changed = self.table(name, dict(columns))
        columns = columns if changed is None else changed
        table = columns if isinstance(columns, pa.Table) else pa.table(columns)
        b = self.write(name, table)
        if b is not None:
            return b
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        return sink.getvalue().to_pybytes()

    def bytes(self):
        out, central = bytearray(), []

        def add(name, data):
            e = dict(name=name, lname=name, data=data, crc=zlib.crc32(data), method=0, flags=0, size=len(data), csize=len(data),
                     local=len(out), extra=b"", lextra=b"")
            e.update(self.entry(name, e) or {})
            for k, d in (("lcrc", "crc"), ("lsize", "size"), ("lcsize", "csize"), ("lflags", "flags"), ("lmethod", "method")):
                e.setdefault(k, e[d])
            if name in self.skip:
                return 0, 0
            n = e["lname"].encode()
            out.extend(struct.pack("<IHHHHHIIIHH", 0x04034B50, 10, e["lflags"], e["lmethod"], 0, 0x21, e["lcrc"], e["lcsize"], e["lsize"],
                                   len(n), len(e["lextra"])) + n + e["lextra"])
            at = len(out)
            out.extend(e["data"])
            central.append(e)
            return at, len(e["data"])

        add("TACO_HEADER", bytes(116))
        place = {}
        for f in self.folders:
            for c in self.files:
                place[f, c] = add("DATA/%s/%s" % (f, c), self.payload(f, c))
        folders = {}
        for f in self.folders:
            meta = self.parquet("DATA/%s/__meta__" % f, {
                "id": pa.array(self.files), "type": pa.array(["FILE"] * len(self.files)), "v": pa.array(range(len(self.files)), pa.int64()),
                "internal:offset": pa.array([place[f, c][0] for c in self.files]), "internal:size": pa.array([place[f, c][1] for c in self.files])})
            folders[f] = add("DATA/%s/__meta__" % f, meta)
        n, k = len(self.folders), len(self.files)
        ranges = [add("METADATA/level0.parquet", self.parquet("level0", {
            "id": pa.array(self.folders), "type": pa.array(["FOLDER"] * n), "w": pa.array(["a"] * n),
            "internal:current_id": pa.array(range(n), pa.int64()), "internal:parent_id": pa.array(range(n), pa.int64()),
            "internal:offset": pa.array([folders[f][0] for f in self.folders]), "internal:size": pa.array([folders[f][1] for f in self.folders])}))]
        ranges.append(add("METADATA/level1.parquet", self.parquet("level1", {
            "id": pa.array(self.files * n), "type": pa.array(["FILE"] * (n * k)), "v": pa.array(list(range(k)) * n, pa.int64()),
            "internal:current_id": pa.array(range(n * k), pa.int64()), "internal:parent_id": pa.array([i // k for i in range(n * k)], pa.int64()),
            "internal:offset": pa.array([place[f, c][0] for f in self.folders for c in self.files]),
            "internal:size": pa.array([place[f, c][1] for f in self.folders for c in self.files]),
            "internal:relative_path": pa.array([f + "/" + c for f in self.folders for c in self.files])})))
        ranges.append(add("COLLECTION.json", self.text if self.text is not None else json.dumps(self.collection).encode()))
        ranges = self.header(ranges) or ranges
        pairs = b"".join(struct.pack("<QQ", a % 2**64, b % 2**64) for a, b in ranges)
        payload = (bytes([self.head.get("count", len(ranges)), 0, 0, 0]) + pairs).ljust(116, b"\0")[:116]
        crc = self.head.get("crc", zlib.crc32(payload))
        out[14:18] = struct.pack("<I", crc)
        out[41:157] = payload
        central[0]["crc"] = crc
        begin = len(out)
        for e in central:
            nm = e["name"].encode()
            out.extend(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0x033F, 10, e["flags"], e["method"], 0, 0x21, e["crc"], e["csize"], e["size"],
                                   len(nm), len(e["extra"]), 0, 0, 0, 0x81A40000, e["local"]) + nm + e["extra"])
        d = dict(n=len(central), n2=len(central), size=len(out) - begin, offset=begin, comment=b"", clen=None, disk=0, tail=b"")
        d.update(self.eocd)
        out.extend(d.get("before", b""))
        out.extend(struct.pack("<IHHHHIIH", 0x06054B50, d["disk"], 0, d["n"], d["n2"], d["size"] + d.get("more", 0), d["offset"] + d.get("shift", 0),
                               len(d["comment"]) if d["clen"] is None else d["clen"]) + d["comment"] + d["tail"])
        return bytes(out)


OK = None
VARIANTS = []




def column(table, name, values):
    """A variant that replaces a column (None: drops it)."""
    def edit(a):
        def change(t, columns):
            if t == table:
                if values is None:
                    columns.pop(name)
                else:
                    columns[name] = values(columns[name]) if callable(values) else values
            return columns
        a.table = change
    return edit


def at(i, value):
    return lambda v: pa.array([value if k == i else x for k, x in enumerate(v.to_pylist())], v.type)


def plus(i, d):
    return lambda v: pa.array([x + d if k == i else x for k, x in enumerate(v.to_pylist())], v.type)


def add(name, pattern, edit):
    VARIANTS.append((name, pattern, edit))


add("good", OK, lambda a: None)
# ---- TACO_HEADER
add("header count 255", "count|header", lambda a: a.head.update(count=255))
add("header count 2 of 3", "header|level1|central", lambda a: setattr(a, "header", lambda r: r[:1] + r[2:]))
add("header swapped", "header|COLLECTION|level", lambda a: setattr(a, "header", lambda r: [r[1], r[0], r[2]]))
add("header collection first", "header|COLLECTION|level|JSON", lambda a: setattr(a, "header", lambda r: [r[2], r[1], r[0]]))
add("header offset 0", "header", lambda a: setattr(a, "header", lambda r: [(0, r[0][1])] + r[1:]))
add("header size one less", "header|level1|PAR1", lambda a: setattr(a, "header", lambda r: [r[0], (r[1][0], r[1][1] - 1), r[2]]))
add("header collection longer", "header|JSON", lambda a: setattr(a, "header", lambda r: r[:2] + [(r[2][0], r[2][1] + 5)]))
add("header offset huge", "header|past|end", lambda a: setattr(a, "header", lambda r: [(2**63, r[0][1])] + r[1:]))
add("header size huge", "header|past|end", lambda a: setattr(a, "header", lambda r: [(r[0][0], 2**40)] + r[1:]))
add("header crc", "CRC|checksum", lambda a: a.head.update(crc=1))
add("header names __meta__", "header", lambda a: setattr(a, "header", lambda r: [(r[0][0] - 50, 20)] + r[1:]))
# ---- entries


def entry(which, **changes):
    def edit(a):
        a.entry = lambda n, e: {k: (v(e) if callable(v) else v) for k, v in changes.items()} if n == which else None
    return edit


for what in ("DATA/f0/x", "DATA/f1/__meta__", "METADATA/level0.parquet", "METADATA/level1.parquet", "COLLECTION.json"):
    add("crc of " + what, "CRC|checksum", entry(what, crc=0xDEADBEEF, lcrc=0xDEADBEEF))
    add("crc of %s in the directory" % what, "CRC|checksum", entry(what, crc=0xDEADBEEF, lcrc=lambda e: e["crc"]))
    add("crc of %s in its header" % what, "CRC|checksum", entry(what, lcrc=0xDEADBEEF))
    add("local name of " + what, "local|header|name", entry(what, lname=lambda e: e["name"][:-1] + "?"))
    add("method of " + what, "method|STORE|compress", entry(what, method=8))
    add("encrypted " + what, "encrypt|flag", entry(what, flags=1))
    add("descriptor of " + what, "descriptor|flag|size|local", entry(what, flags=8, lsize=0, lcsize=0, lcrc=0))
    add("size of %s in the directory" % what, "size|bytes|local", entry(what, size=lambda e: e["size"] + 3, csize=lambda e: e["csize"] + 3,
                                                                   lsize=lambda e: e["size"], lcsize=lambda e: e["csize"]))
    add("size of %s in its header" % what, "size|bytes|local", entry(what, lsize=1, lcsize=1))
    add("local offset of " + what, "local|header|name|overlap", entry(what, local=lambda e: e["local"] + 1))
    add("local offset 0 of " + what, "local|header|name|overlap", entry(what, local=0))
    add("local offset past the end of " + what, "local|header|directory", entry(what, local=2**31))
    add("not in the directory: " + what, "DATA/f|entry|central|level|COLLECTION", entry(what, name=lambda e: "Z" + e["name"][1:]))
    add("zip64 extra cut " + what, "ZIP64|extra|directory", entry(what, size=0xFFFFFFFF, csize=0xFFFFFFFF, extra=b"\1\0\10\0" + bytes(8), lsize=lambda e: len(e["data"]), lcsize=lambda e: len(e["data"])))
    add("zip64 extra wrong " + what, "ZIP64|size|bytes|local|directory", entry(what, size=0xFFFFFFFF, csize=0xFFFFFFFF, extra=b"\1\0\20\0" + struct.pack("<QQ", 5, 5), lsize=lambda e: len(e["data"]), lcsize=lambda e: len(e["data"])))
    add("zip64 extra right " + what, OK, entry(what, size=0xFFFFFFFF, csize=0xFFFFFFFF, extra=lambda e: b"\1\0\20\0" + struct.pack("<QQ", len(e["data"]), len(e["data"])), lsize=lambda e: len(e["data"]), lcsize=lambda e: len(e["data"])))
add("bit flip in a payload", "CRC|checksum", entry("DATA/f1/y", data=lambda e: bytes([e["data"][0] ^ 1]) + e["data"][1:]))
add("two entries of a name", "duplicate|unique|two|twice", entry("DATA/f1/y", name="DATA/f1/x", lname="DATA/f1/x"))
add("header entry named otherwise", "header|TACO", entry("TACO_HEADER", name="TACO_GHOST2", lname="TACO_GHOST2"))
add("header entry named otherwise in the directory", "header|local|name", entry("TACO_HEADER", name="taco_header"))
add("name with ..", "entry|central|path", entry("DATA/f0/x", name="../x", lname="../x"))
add("absolute name", "entry|relative|path", entry("DATA/f0/x", name="/x", lname="/x"))
# ---- end records
for k, v, p in (("n", 3, "disk|entries|EOCD|directory|record"), ("comment", b"hello", OK), ("tail", b"x" * 30, "EOCD|after|end"),
                ("clen", 9, "EOCD|comment|end|directory"), ("disk", 1, "disk|EOCD"), ("shift", 7, "directory|EOCD"), ("shift", -7, "directory|EOCD"),
                ("more", 46, "directory|EOCD"), ("more", -46, "directory|EOCD|entr"), ("before", b"gap" * 5, "directory|EOCD"),
                ("before", b"PK\6\7" + bytes(4) + struct.pack("<Q", 2**63) + b"\1\0\0\0", "ZIP64|locator|directory"),
                ("before", b"PK\6\7" + bytes(4) + struct.pack("<Q", 5) + b"\1\0\0\0", "ZIP64|locator|directory")):
    add("end record: %s %r" % (k, v if not isinstance(v, bytes) else v[:6]), p, lambda a, k=k, v=v: a.eocd.update({k: v}))
add("end record: one entry fewer", "directory|EOCD|entr", lambda a: a.eocd.update(n=8, n2=8))
add("end record: one entry more", "directory|EOCD|entr|disk", lambda a: a.eocd.update(n=11, n2=11))
# ---- levels and __meta__
for t in ("level0", "level1", "DATA/f1/__meta__"):
    for value in ("a/b", "a\\b", "a:b", "", "..", ".", "__x", "__meta__", "nul\0byte", "/etc/passwd", None):
        add("%s: id %r" % (t, value), r"\bid\b|null", column(t, "id", at(1, value)))
    add(t + ": duplicate id", "duplicate|unique|twice|disagree", column(t, "id", at(1, "f0" if t == "level0" else "x")))
    for value in ("file", "BLOB", "", None):
        add("%s: type %r" % (t, value), "type", column(t, "type", at(1, value)))
    add(t + ": no id", r"\bid\b", column(t, "id", None))
    add(t + ": no type", "type", column(t, "type", None))
    add(t + ": id of integers", r"\bid\b|type", column(t, "id", lambda v: pa.array(range(len(v)))))
    add(t + ": id of binary", r"\bid\b|type", column(t, "id", lambda v: pa.array([x.encode() for x in v.to_pylist()], pa.binary())))
    add(t + ": type of booleans", "type", column(t, "type", lambda v: pa.array([True] * len(v))))
    for c in ("internal:offset", "internal:size"):
        add("%s: no %s" % (t, c), "offset|size", column(t, c, None))
        add("%s: %s null" % (t, c), "null|offset|size", column(t, c, at(1, None)))
        add("%s: %s negative" % (t, c), "negative|offset|size", column(t, c, at(1, -7)))
        add("%s: %s off by one" % (t, c), "offset|size|local|disagree", column(t, c, plus(1, 1)))
        add("%s: %s huge" % (t, c), "offset|size|past|disagree", column(t, c, at(1, 2**62)))
        add("%s: %s zero" % (t, c), "offset|size|local|disagree", column(t, c, at(1, 0)))
        add("%s: %s of text" % (t, c), "offset|size|type", column(t, c, lambda v: pa.array([str(x) for x in v.to_pylist()])))
        add("%s: %s of doubles" % (t, c), "offset|size|type", column(t, c, lambda v: pa.array([float(x) for x in v.to_pylist()])))
        add("%s: %s of int32" % (t, c), OK, column(t, c, lambda v: pa.array(v.to_pylist(), pa.int32())))
        add("%s: %s swapped" % (t, c), "offset|size|local|disagree", column(t, c, lambda v: pa.array(v.to_pylist()[::-1]) if c.endswith("offset") else pa.array([x + 1 for x in v.to_pylist()])))
    add(t + ": rows of the half", "rows|n\\b|__meta__|missing|disagree|children|entry|level", lambda a, t=t: setattr(a, "table", lambda n, c: pa.table(c).slice(0, 1) if n == t else c))
    add(t + ": no rows", "rows|empty|n\\b|__meta__|missing", lambda a, t=t: setattr(a, "table", lambda n, c: pa.table(c).slice(0, 0) if n == t else c))
    add(t + ": a row twice", "duplicate|unique|rows|disagree|twice", lambda a, t=t: setattr(a, "table", lambda n, c: pa.concat_tables([pa.table(c), pa.table(c).slice(1, 1)]) if n == t else c))
    add(t + ": column twice", "column|twice|duplicate", lambda a, t=t: setattr(a, "table", lambda n, c: pa.table(c).append_column("id", c["id"]) if n == t else c))
    for cut in (0, 4, 100, -1, -5):
        add("%s: cut at %d" % (t, cut), "Parquet|PAR1|footer|level|meta|empty|file", lambda a, t=t, cut=cut: setattr(a, "write", lambda n, tab: whole(tab)[:cut] if n == t else None))
    for i in (0, 8, 30, -3, -8):  # the others may hit the Arrow schema or statistics, which nobody needs
        add("%s: byte %d" % (t, i), "level|meta|PAR1|Parquet|page|column|disagree|footer|type|id|begins", lambda a, t=t, i=i: setattr(a, "write", lambda n, tab: flip(whole(tab), i) if n == t else None))
add("level1: parent null", "parent", column("level1", "internal:parent_id", at(1, None)))
add("level1: parent other", "parent|path|__meta__|rows|entry", column("level1", "internal:parent_id", at(1, 1)))
add("level1: parent 2", "parent", column("level1", "internal:parent_id", at(3, 2)))
add("level1: parent of text", "parent", column("level1", "internal:parent_id", lambda v: pa.array(["f0", "f0", "f1", "f1"])))
add("level1: parents reversed", "parent|path|offset|disagree|__meta__", column("level1", "internal:parent_id", lambda v: pa.array(v.to_pylist()[::-1])))
add("level1: no parents", "parent", column("level1", "internal:parent_id", None))
add("level1: current_id twice", "current_id", column("level1", "internal:current_id", at(1, 0)))
add("level1: current_id null", "current_id", column("level1", "internal:current_id", at(1, None)))
add("level1: no current_id", OK, column("level1", "internal:current_id", None))
add("level0: current_id out of range", "current_id", column("level0", "internal:current_id", at(1, 9)))
for value in ("f0/z", "../x", "/f0/x", "f0//x", "f0/x/", "x", None):
    add("level1: relative_path %r" % (value,), "relative_path|path", column("level1", "internal:relative_path", at(0, value)))
add("level1: no relative_path", OK, column("level1", "internal:relative_path", None))
add("level1: type FOLDER", "FOLDER|type|PIT|entry|disagree", column("level1", "type", at(1, "FOLDER")))
add("level0: type FILE", "FILE|type|PIT|root|mix", column("level0", "type", at(1, "FILE")))
add("__meta__: value differs", "disagree|differ|column", column("DATA/f1/__meta__", "v", plus(1, 40)))
add("__meta__: column of another type", "PIT-2|type", column("DATA/f1/__meta__", "v", lambda v: pa.array(["0", "1"])))
add("__meta__: column missing", OK, column("DATA/f1/__meta__", "v", None))
add("__meta__: order", "PIT|order|disagree|__meta__", lambda a: setattr(a, "table", lambda n, c: pa.table(c).take(pa.array([1, 0])) if n == "DATA/f1/__meta__" else c))
add("level1: order in one folder", "PIT|disagree|__meta__", lambda a: setattr(a, "table", lambda n, c: pa.table(c).take(pa.array([0, 1, 3, 2])).set_column(3, "internal:current_id", pa.array(range(4))) if n == "level1" else c))
add("folder without __meta__", "__meta__", lambda a: a.skip.add("DATA/f1/__meta__"))
add("level1 missing", "level|header|__meta__", lambda a: (a.skip.add("METADATA/level1.parquet"), setattr(a, "header", lambda r: [r[0], r[2]])))
add("file missing", "DATA/|entry|offset|local", lambda a: a.skip.add("DATA/f1/y"))
# ---- COLLECTION.json


def doc(**changes):
    def edit(a):
        for k, v in changes.items():
            k = k.replace("__", ":")
            if v is KeyError:
                a.collection.pop(k)
            else:
                a.collection[k] = v
    return edit


for k in ("id", "dataset_version", "description", "licenses", "providers", "tasks", "taco_version", "taco:pit_schema"):
    add("collection: no " + k, re.escape(k.split(":")[-1]), doc(**{k.replace(":", "__"): KeyError}))
    add("collection: %s of another type" % k, re.escape(k.split(":")[-1]), doc(**{k.replace(":", "__"): 5}))
    add("collection: %s null" % k, re.escape(k.split(":")[-1]), doc(**{k.replace(":", "__"): None}))
for v in ("", "Upper", "a b", "a/b"):
    add("collection: id %r" % v, r"\bid\b", doc(id=v))
add("collection: title", "title", doc(title="x" * 251))
add("collection: title of 250", OK, doc(title="ü" * 250))
add("collection: keywords", "keywords", doc(keywords="a, b"))
add("collection: unknown task", OK, doc(tasks=["counting"]))
for v in ({"spatial": [0, 0, 0]}, {"spatial": [-181, 0, 0, 0]}, {"spatial": [0, 10, 0, -10]}, {"spatial": [0, 0, 0, "x"]}, {"spatial": [0, -91, 0, 0]}, [1, 2], "x",
          {"spatial": [0, 0, 1, 1], "temporal": ["2020"]}, {"spatial": [0, 0, 1, 1], "temporal": ["yesterday", "today"]},
          {"spatial": [0, 0, 1, 1], "temporal": ["2021-01-01T00:00:00Z", "2020-01-01T00:00:00Z"]}):
    add("collection: extent %s" % json.dumps(v), "extent", doc(extent=v))
add("collection: extent over the antimeridian", OK, doc(extent={"spatial": [170, -10, -170, 10], "temporal": None}))


def pit(edit):
    return lambda a: edit(a.collection["taco:pit_schema"])


add("pit: n", r"\bn\b|pit", pit(lambda p: p["root"].update(n=3)))
add("pit: n negative", OK, pit(lambda p: p["root"].update(n=-3)))
add("pit: n of a pattern", OK, pit(lambda p: p["hierarchy"]["1"][0].update(n=5)))
add("pit: shape", OK, pit(lambda p: p.update(shape=[9])))
add("pit: root type", "type", pit(lambda p: p["root"].update(type="FILE")))
add("pit: root type other", "type", pit(lambda p: p["root"].update(type="DIR")))
add("pit: no hierarchy", "hierarchy|pit", pit(lambda p: p.pop("hierarchy")))
add("pit: hierarchy empty", "hierarchy|pit|level", pit(lambda p: p.update(hierarchy={})))
add("pit: level 2", "hierarchy|pit|level", pit(lambda p: p["hierarchy"].update({"2": [{"n": 1, "type": ["FILE"], "id": ["a"]}]})))
add("pit: ids", "pit|pattern", pit(lambda p: p["hierarchy"]["1"][0].update(id=["x", "z"])))
add("pit: types", "pit|pattern", pit(lambda p: p["hierarchy"]["1"][0].update(type=["FILE", "FOLDER"])))
add("pit: key", "pit|hierarchy", pit(lambda p: p["hierarchy"].update({"7": []})))
add("pit: no root", "root|pit", pit(lambda p: p.pop("root")))
add("field_schema of another type", "field_schema", doc(taco__field_schema=[1]))
add("field_schema missing", OK, doc(taco__field_schema=KeyError))
for t in (b"", b"{", b"[]", b"null", b'"x"', b'{"id":"a"}', b"\xff\xfe{}", b'{"id":"\xff"}', b"{} x", b"PAR1"):
    add("collection text %r" % t, "COLLECTION|JSON|id|pit|empty|expected|object|UTF-8", lambda a, t=t: setattr(a, "text", t))
add("collection with a BOM", OK, lambda a: setattr(a, "text", b"\xef\xbb\xbf" + json.dumps(a.collection).encode()))
# ---- the tree
add("PIT-1: other id in f1", "PIT|f1", lambda a: retree(a, {"f1": ["x", "z"]}))


def whole(table):
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def flip(b, i):
    b = bytearray(b)
    b[i] ^= 0xFF
    return bytes(b)


def retree(a, children):
    """Renames children in all tables and entries."""
    def name(f, c):
        return children.get(f, a.files)[a.files.index(c)]
    a.entry = lambda n, e: dict(name=new(n), lname=new(n))

    def new(n):
        p = n.split("/")
        return "/".join(p[:2] + [name(p[1], p[2])]) if len(p) == 3 and p[0] == "DATA" and p[2] in a.files else n

    def change(t, c):
        if t.startswith("DATA/"):
            c["id"] = pa.array([name(t.split("/")[1], x) for x in c["id"].to_pylist()])
        elif t == "level1":
            paths = [x.split("/") for x in c["internal:relative_path"].to_pylist()]
            c["id"] = pa.array([name(f, x) for f, x in paths])
            c["internal:relative_path"] = pa.array([f + "/" + name(f, x) for f, x in paths])
        return c
    a.table = change


failures = 0


def judge(name, path, pattern):
    global failures
    p = subprocess.run([TACO, "validate", path, "--deep", "--json"], capture_output=True, text=True, timeout=20)
    try:
        got = json.loads(p.stdout)
    except ValueError as e:  # --json is JSON whatever is wrong
        failures += 1
        print("FAIL %s: status %d, no JSON (%s): %s" % (name, p.returncode, e, p.stdout[:300]))
        return
    text = p.stderr + " ".join(x["where"] + ": " + x["message"] for x in got["problems"])
    if p.returncode > 1 or (pattern is OK) != (p.returncode == 0) or (pattern and not re.search(pattern, text, re.I)):
        failures += 1
        print("FAIL %s: status %d, wanted %s: %s" % (name, p.returncode, pattern or "valid", text[:300]))


def folder_variants():
    count = 0
    for name, edit, pattern in (
            ("good", lambda d: None, OK),
            ("payload missing", lambda d: os.remove(d + "/DATA/f0/x"), "DATA/f0/x|missing|exist"),
            ("__meta__ missing", lambda d: os.remove(d + "/DATA/f1/__meta__"), "__meta__|missing"),
            ("__meta__ damaged", lambda d: open(d + "/DATA/f1/__meta__", "wb").write(b"PAR1"), "__meta__"),
            ("folder missing", lambda d: shutil.rmtree(d + "/DATA/f1"), "f1|missing"),
            ("DATA missing", lambda d: shutil.rmtree(d + "/DATA"), "DATA|missing"),
            ("METADATA missing", lambda d: shutil.rmtree(d + "/METADATA"), "METADATA|level0|missing"),
            ("level1 missing", lambda d: os.remove(d + "/METADATA/level1.parquet"), "level|__meta__"),
            ("level0 missing", lambda d: os.remove(d + "/METADATA/level0.parquet"), "level0|missing"),
            ("collection missing", lambda d: os.remove(d + "/COLLECTION.json"), "COLLECTION|missing"),
            ("payload is a directory", lambda d: (os.remove(d + "/DATA/f0/x"), os.mkdir(d + "/DATA/f0/x")), "DATA/f0/x|missing"),
            ("collection damaged", lambda d: open(d + "/COLLECTION.json", "w").write("{"), "COLLECTION|expected")):
        d = os.path.join(DIR, "folder")
        shutil.rmtree(d, ignore_errors=True)
        archive = os.path.join(DIR, "good.tacozip")
        os.makedirs(d + "/DATA")
        import zipfile
        with zipfile.ZipFile(archive) as z:
            for n in z.namelist():
                if n != "TACO_HEADER":
                    os.makedirs(os.path.dirname(os.path.join(d, n)), exist_ok=True)
                    open(os.path.join(d, n), "wb").write(z.read(n))
        edit(d)
        judge("FOLDER: " + name, d, pattern)
        count += 1
    return count


def catalogue_variants():
    count = 0
    good = open(os.path.join(DIR, "good.tacozip"), "rb").read()

    def tables(d, edit):
        for level in (0, 1):
            p = d + "/.tacocat/level%d.parquet" % level
            t = edit(level, pq.read_table(p))
            if t is not None:
                pq.write_table(t, p)

    def col(level, name, change):
        def edit(k, t):
            if k != level:
                return None
            i = t.schema.get_field_index(name)
            return t.remove_column(i) if change is None else t.set_column(i, name, change(t.column(i).combine_chunks()))
        return lambda d: tables(d, edit)

    def binary(offset, data):
        def edit(d):
            with open(d + "/__TACOCAT__", "r+b") as f:
                f.seek(offset)
                f.write(data)
        return edit
    cases = [("good", lambda d: None, OK),
             ("part missing", lambda d: os.remove(d + "/b.tacozip"), "b.tacozip|missing"),
             ("part empty", lambda d: open(d + "/b.tacozip", "wb").close(), "b.tacozip|empty"),
             ("part damaged", lambda d: open(d + "/b.tacozip", "r+b").write(b"XX"), "b.tacozip"),
             ("part replaced", lambda d: open(d + "/b.tacozip", "wb").write(open(DIR + "/other.tacozip", "rb").read()), "b.tacozip|PIT|pit"),
             ("level1 missing", lambda d: os.remove(d + "/.tacocat/level1.parquet"), "level|hierarchy|rows"),
             ("collection missing", lambda d: os.remove(d + "/.tacocat/COLLECTION.json"), "COLLECTION|missing"),
             ("source null", col(0, "internal:source_file", at(1, None)), "source_file"),
             ("source ..", col(1, "internal:source_file", at(1, "../a.tacozip")), "source_file"),
             ("source absolute", col(1, "internal:source_file", at(1, "/etc/passwd")), "source_file"),
             ("source unknown", col(0, "internal:source_file", at(1, "c.tacozip")), "c.tacozip|parent|rows"),
             ("no source", col(0, "internal:source_file", None), "source_file"),
             ("offset", col(1, "internal:offset", plus(5, 1)), "offset|archive"),
             ("size", col(1, "internal:size", plus(5, 1)), "size|archive"),
             ("id", col(1, "id", at(5, "q")), "id|archive|PIT"),
             ("parent", col(1, "internal:parent_id", at(5, 7)), "parent"),
             ("offset column", col(0, "internal:offset", None), "offset")]
    for k, (name, edit, pattern) in enumerate(cases + [
            ("binary good", lambda d: None, OK), ("binary magic", binary(7, b"\n"), "TACOCAT|magic"), ("binary version", binary(8, b"\2"), "version"),
            ("binary depth 9", binary(12, b"\x09"), "depth"), ("binary depth 0", binary(12, b"\0"), "depth|level"),
            ("binary level0 offset", binary(16, b"\0" * 8), "header|level0|overlap"), ("binary level0 size", binary(24, b"\0" * 8), "level0"),
            ("binary level1 past the end", binary(32, b"\xff" * 6), "level1|past|end"), ("binary no collection", binary(112, b"\0" * 16), "COLLECTION"),
            ("binary cut", lambda d: os.truncate(d + "/__TACOCAT__", 100), "TACOCAT|header|bytes"),
            ("binary short", lambda d: os.truncate(d + "/__TACOCAT__", 900), "past|end|TACOCAT"),
            ("binary part missing", lambda d: os.remove(d + "/a.tacozip"), "a.tacozip|missing")]):
        d = os.path.join(DIR, "catalogue")
        shutil.rmtree(d, ignore_errors=True)
        os.makedirs(d)
        for n in "ab":
            open("%s/%s.tacozip" % (d, n), "wb").write(good)
        p = subprocess.run([TACO, "tacocat", d, d + "/a.tacozip", d + "/b.tacozip", "--binary"], capture_output=True, text=True)
        assert p.returncode == 0, p.stderr
        edit(d)
        judge("catalogue: " + name, d + "/__TACOCAT__" if name.startswith("binary") else d, pattern)
        count += 1
    return count


os.makedirs(DIR, exist_ok=True)
for name, pattern, edit in VARIANTS:
    a = Archive()
    edit(a)
    path = os.path.join(DIR, "good.tacozip" if name == "good" else "variant.tacozip")
    open(path, "wb").write(a.bytes())
    judge(name, path, pattern)
a = Archive()
retree(a, {"f0": ["p", "q"], "f1": ["p", "q"]})
a.collection["taco:pit_schema"]["hierarchy"]["1"][0]["id"] = ["p", "q"]
open(DIR + "/other.tacozip", "wb").write(a.bytes())
judge("other", DIR + "/other.tacozip", OK)
total = len(VARIANTS) + 1 + folder_variants() + catalogue_variants()
print("%d damaged and good variants, %d judged wrongly" % (total, failures))
sys.exit(failures != 0)
