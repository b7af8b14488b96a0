#!/usr/bin/env python3
"""damaged.py TACO DIR [EVERY] - archives, folders and catalogues with one thing wrong each; `taco validate --deep --json` must name it.

Run with a Python that has pyarrow. The variants are made here, from one good dataset of two levels: what is wrong is said in
VARIANTS, beside a pattern that a problem must match. The dataset itself must be valid, and what is marked OK, too. The other
commands meet every variant, or one in EVERY."""
import copy, json, os, re, shutil, struct, subprocess, sys, zlib
import pyarrow as pa, pyarrow.parquet as pq

TACO, DIR = map(os.path.abspath, sys.argv[1:3])
EVERY = int(sys.argv[3]) if len(sys.argv) > 3 else 1
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
        self.before = lambda add: None              # entries in front of TACO_HEADER
        self.more = lambda add: None                # and behind COLLECTION.json
        self.directory = lambda entries: entries    # the central directory's, in their order
        self.raw = lambda b: b                      # the bytes of all

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
            return at, e.get("told", len(e["data"]))

        self.before(add)
        top = len(out)
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
        if "TACO_HEADER" not in self.skip:
            n = top + 30 + sum(struct.unpack("<HH", out[top + 26:top + 30]))
            out[top + 14:top + 18] = struct.pack("<I", crc)
            out[n:n + 116] = payload
            next(e for e in central if e["local"] == top)["crc"] = crc
        self.more(add)
        begin = len(out)
        central = self.directory(central)
        for e in central:
            nm = e["name"].encode()
            out.extend(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0x033F, e.get("needs", 10), e["flags"], e["method"], 0, e.get("date", 0x21), e["crc"], e["csize"], e["size"],
                                   len(nm), len(e["extra"]), len(e.get("comment", b"")), e.get("disk", 0), 0, e.get("mode", 0x81A40000), e["local"]) +
                       nm + e["extra"] + e.get("comment", b""))
        d = dict(n=len(central), n2=len(central), size=len(out) - begin, offset=begin, comment=b"", clen=None, disk=0, tail=b"")
        d.update(self.eocd)
        out.extend(d.get("before", b""))
        out.extend(struct.pack("<IHHHHIIH", 0x06054B50, d["disk"], 0, d["n"], d["n2"], d["size"] + d.get("more", 0), d["offset"] + d.get("shift", 0),
                               len(d["comment"]) if d["clen"] is None else d["clen"]) + d["comment"] + d["tail"])
        return self.raw(bytes(out))


OK = None
WARNING = "warning: "  # in front of a pattern: valid, but this is told
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
add("pit: n negative", r"\bn\b", pit(lambda p: p["root"].update(n=-3)))
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

# ---- archives again: what other programs write, and what none should


def extra_entry(name, data=b"?", **changes):
    """One more entry behind the others."""
    def edit(a):
        a.more = lambda add: add(name, data)
        a.entry = lambda n, e: {k: (v(e) if callable(v) else v) for k, v in changes.items()} if n == name else None
    return edit


def deflated(e):
    c = zlib.compressobj(9, zlib.DEFLATED, -15)
    d = c.compress(e["data"]) + c.flush()
    return dict(data=d, method=8, size=len(e["data"]), csize=len(d))


def described(signed, wide=False):
    """Bit 3, with a descriptor behind the bytes; sizes are of the payload alone."""
    def change(e):
        n = len(e["data"])
        tail = struct.pack("<IQQ" if wide else "<III", e["crc"], n, n)
        return dict(told=n, data=e["data"] + (b"PK\7\x08" if signed else b"") + tail, flags=8, lcrc=0, lsize=0, lcsize=0, size=n, csize=n)
    return lambda a, which: setattr(a, "entry", lambda n, e: change(e) if n == which else None)


def raw(change):
    return lambda a: setattr(a, "raw", change)


def stamp(sign, nth, offset, data):
    """Overwrites bytes behind the nth record of a signature; of the last with -1."""
    def change(b):
        at, k = -1, nth
        if k < 0:
            at = b.rindex(sign)
        while k >= 0:
            at, k = b.index(sign, at + 1), k - 1
        return b[:at + offset] + data + b[at + offset + len(data):]
    return raw(change)


LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
PLACES = ("DATA/f0/x", "DATA/f1/__meta__", "METADATA/level0.parquet", "METADATA/level1.parquet", "COLLECTION.json")
for what in PLACES:
    add("deflated " + what, "method|STORE|compress", lambda a, w=what: setattr(a, "entry", lambda n, e: deflated(e) if n == w else None))
    for signed in (0, 1):
        add("descriptor behind %s, %d" % (what, signed), "descriptor|flag|size|local", lambda a, w=what, s=signed: described(s)(a, w))
    add("a second " + what, "duplicate|two|twice", extra_entry(what))
    add("flag 13 of " + what, "encrypt|flag|mask", entry(what, flags=0x2000))
    add("strong encryption of " + what, "encrypt|flag", entry(what, flags=0x41))
    add("encrypted in the local header: " + what, "flag", entry(what, lflags=1))
    add("method in the local header: " + what, "method|local", entry(what, lmethod=8))
    add("zip64 in the local header, sizes missing: " + what, "ZIP64|extra|size|local", entry(what, lsize=0xFFFFFFFF, lcsize=0xFFFFFFFF))
    add("name in other letters: " + what, "entry|central|level|COLLECTION|DATA", entry(what, name=what.swapcase(), lname=what.swapcase()))
    add("on disk 2: " + what, "disk|ZIP64|directory|part", entry(what, disk=2))
    add("zip64 offset right: " + what, OK, entry(what, extra=lambda e: b"\1\0\x08\0" + struct.pack("<Q", e["local"]), local=0xFFFFFFFF))
    add("zip64 offset wrong: " + what, "ZIP64|local|header|directory", entry(what, extra=lambda e: b"\1\0\x08\0" + struct.pack("<Q", e["local"] + 1), local=0xFFFFFFFF))
    add("extra field that overruns: " + what, "extra|directory", entry(what, extra=b"\1\0\xff\0ab"))
    add("unknown extra field: " + what, OK, entry(what, extra=b"UT\5\0\1\0\0\0\0"))
    add("unknown extra field in the local header: " + what, OK, entry(what, lextra=b"UT\5\0\1\0\0\0\0"))
    add("zip64 in the local header right: " + what, OK, entry(what, lsize=0xFFFFFFFF, lcsize=0xFFFFFFFF, lextra=lambda e: b"\1\0\x10\0" + struct.pack("<QQ", e["size"], e["size"])))
    add("zip64 in the local header wrong: " + what, "size|bytes|local", entry(what, lsize=0xFFFFFFFF, lcsize=0xFFFFFFFF, lextra=lambda e: b"\1\0\x10\0" + struct.pack("<QQ", 7, e["size"])))
    add("zip64 in the local header cut: " + what, "size|extra|local|ZIP64", entry(what, lsize=0xFFFFFFFF, lcsize=0xFFFFFFFF, lextra=b"\1\0\x10\0abc"))
    add("no bytes, sizes kept: " + what, "CRC|local|overlap|size|PAR1|JSON|end", entry(what, data=b""))
    add("a comment, another date, another version: " + what, OK, entry(what, comment=b"hello", date=0x5123, needs=45))
for name in ("../../evil", "DATA/../../evil", "/etc/passwd", "DATA\\f0\\z", "C:\\evil", "a\0b", ""):
    add("one more entry %r" % name, "path|relative|name", extra_entry(name))
for name in ("DATA/f0/z", "README.md", "DATA/", "METADATA/", "DATA/f0/", "METADATA/level9.parquet", "METADATA/level2.parquet.bak", "..dots", "a..b/c"):
    add("one more entry %r" % name, OK, extra_entry(name, b"" if name.endswith("/") else b"?"))
add("one more level", "level2|header|level", extra_entry("METADATA/level2.parquet", b"PAR1"))
add("level 3 without 2", "level3|level|header", extra_entry("METADATA/level3.parquet", b"PAR1"))
add("one more entry on another's bytes", "overlap|local|name", extra_entry("DATA/f9", local=157))
add("one more entry inside a payload", "overlap", lambda a: setattr(a, "directory", lambda l: inside(a, l)))
add("two entries on one local header", "duplicate|overlap|two", lambda a: setattr(a, "directory", lambda l: l + [l[3]]))
add("directory in another order", OK, lambda a: setattr(a, "directory", lambda l: l[:1] + l[:0:-1]))
add("header last in the directory", OK, lambda a: setattr(a, "directory", lambda l: l[1:] + l[:1]))
add("an entry in front of the header", "TACO_HEADER|first|header", lambda a: setattr(a, "before", lambda add: add("DATA/first", b"1")))
add("no header", "TACO_HEADER|header", lambda a: a.skip.add("TACO_HEADER"))
add("two headers", "TACO_HEADER|duplicate|two", extra_entry("TACO_HEADER", bytes(116)))
add("header deflated", "TACO_HEADER|method|header", lambda a: setattr(a, "entry", lambda n, e: dict(method=8) if n == "TACO_HEADER" else None))
add("header of 117 bytes", "TACO_HEADER|116|header|size", entry("TACO_HEADER", data=bytes(117), size=117, csize=117))
add("header of 0 bytes", "TACO_HEADER|116|header|size", entry("TACO_HEADER", size=0, csize=0))
add("header with an extra field", "TACO_HEADER|header", entry("TACO_HEADER", lextra=b"UT\5\0\1\0\0\0\0"))
for n in (0, 1, 2, 4, 7, 8, 128):
    add("header counts %d" % n, "header|count|level|COLLECTION", lambda a, n=n: a.head.update(count=n))
add("header: a level twice", "header|overlap|level", lambda a: setattr(a, "header", lambda r: [r[0], r[0], r[2]]))
add("header: overlapping ranges", "header|overlap|level|COLLECTION", lambda a: setattr(a, "header", lambda r: [r[0], (r[1][0], r[1][1] + r[2][1] + 9), r[2]]))
add("header: collection is a level", "header|COLLECTION|JSON", lambda a: setattr(a, "header", lambda r: [r[0], r[1], r[1]]))
add("header: a level is the collection", "header|level|PAR1", lambda a: setattr(a, "header", lambda r: [r[0], r[2], r[2]]))
add("header: ranges behind the count", OK, lambda a: setattr(a, "header", lambda r: (a.head.update(count=3), r + [(7, 7)])[1]))
add("header: empty level in the middle", "header|level", lambda a: setattr(a, "header", lambda r: [r[0], (0, 0), r[2]]))
add("header: empty collection", "header|COLLECTION", lambda a: setattr(a, "header", lambda r: [r[0], r[1], (r[2][0], 0)]))
add("header: sum wraps", "header|past|end", lambda a: setattr(a, "header", lambda r: [r[0], (2**64 - 9, 100), r[2]]))
for k in range(1, 8):
    add("local signature %d" % k, "local|header|signature", stamp(LOCAL, k, 0, b"XX"))
for k in range(0, 9, 2):
    add("central signature %d" % k, "directory|central", stamp(CENTRAL, k, 0, b"XX"))
add("end signature", "EOCD|end of central|directory", stamp(END, -1, 0, b"XX"))
add("name length of a local header", "local|name|header", stamp(LOCAL, 2, 26, b"\xff\x7f"))
add("extra length of a local header", "local|header|overlap|offset", stamp(LOCAL, 2, 28, b"\xff\x7f"))
add("name length in the directory", "directory|entr", stamp(CENTRAL, 2, 28, b"\xff\xff"))
add("comment length in the directory", "directory|entr", stamp(CENTRAL, 8, 32, b"\xff\xff"))
add("entries: 0", "directory|EOCD|entr", stamp(END, -1, 8, b"\0\0\0\0"))
add("entries: 65535", "directory|EOCD|entr|ZIP64", stamp(END, -1, 8, b"\xff\xff\xff\xff"))
add("directory of 0 bytes", "directory|EOCD|entr", stamp(END, -1, 12, b"\0\0\0\0"))
add("directory at 2^32-1", "directory|EOCD|ZIP64", stamp(END, -1, 16, b"\xff\xff\xff\xff"))
for n in (1, 22, 100, 65535):
    add("%d bytes behind the end" % n, "EOCD|after|end", raw(lambda b, n=n: b + b"\0" * n))
add("a comment of 65535 bytes", OK, lambda a: a.eocd.update(comment=b"c" * 65535))
add("an end record in the comment", OK, lambda a: a.eocd.update(comment=END + bytes(30)))
add("an end record in the comment that fits", "EOCD|after|end|directory", lambda a: a.eocd.update(comment=END + bytes(18)))
for n in (1, 5, 21, 22, 23):
    add("%d bytes off the end" % n, "EOCD|end of central|directory", raw(lambda b, n=n: b[:-n]))
for n in (0, 1, 29, 30, 100, 156, 157, 300):
    add("%d bytes are left" % n, "TACO|empty|end|ZIP|header|COLLECTION", raw(lambda b, n=n: b[:n]))
add("a stub in front", "TACO_HEADER|first|header|TACO|ZIP", raw(lambda b: b"#!/bin/sh\n" + b))
add("a hole of 50 bytes", OK, entry("DATA/f0/x", told=lambda e: e["size"], data=lambda e: e["data"] + bytes(50)))


def inside(a, entries):
    e = dict(entries[1], name="DATA/in")
    e["local"] += 5
    return entries + [e]


def zip64(**changes):
    """The records of ZIP64 in front of the end record."""
    def change(b):
        n, n2, size, offset = struct.unpack("<HHII", b[-14:-2])
        d = dict(size=44, disk=0, n=n, n2=n2, length=size, offset=offset, at=len(b) - 22, disks=1, ldisk=0, end=b[-22:])
        d.update({k: v(d) if callable(v) else v for k, v in changes.items()})
        record = struct.pack("<IQHHIIQQQQ", 0x06064B50, d["size"], 45, 45, d["disk"], 0, d["n"], d["n2"], d["length"], d["offset"])
        return b[:-22] + record + struct.pack("<IIQI", 0x07064B50, d["ldisk"], d["at"], d["disks"]) + d["end"]
    return raw(change)


full = END + b"\0\0\0\0" + b"\xff" * 12 + b"\0\0"
add("zip64 end record", OK, zip64(end=full))
add("zip64 end record beside the other", OK, zip64())
add("zip64 end record of 0 disks", OK, zip64(end=full, disks=0))
for k, v in (("n", 3), ("n2", 3), ("n", 2**40), ("length", 5), ("length", 2**63), ("offset", 2**63), ("offset", 3), ("size", 0), ("size", 2**63),
             ("disk", 4), ("at", 5), ("at", 2**63), ("at", 2**64 - 1), ("disks", 5), ("ldisk", 3)):
    add("zip64 end record: %s %d" % (k, v), "ZIP64|directory|EOCD|disk|entr", zip64(end=full, **{k: v}))
add("no zip64 end record where one is named", "ZIP64|directory|EOCD", raw(lambda b: b[:-22] + full))
# ---- rows and places that agree with each other and with nothing else


def both(change):
    """Edits offsets and sizes in level1 and every __meta__ alike: {path: (offset, size)} -> the same."""
    def edit(a):
        def tables(t, columns):
            if t == "level0" or t.startswith("METADATA"):
                return columns
            ids = columns["id"].to_pylist()
            names = columns["internal:relative_path"].to_pylist() if t == "level1" else [t.split("/")[1] + "/" + i for i in ids]
            place = dict(zip(names, zip(columns["internal:offset"].to_pylist(), columns["internal:size"].to_pylist())))
            if not hasattr(a, "known"):
                a.known = {}
            a.known.update(place)
            columns["internal:offset"] = pa.array([change(n, *a.known[n], a.known)[0] for n in names])
            columns["internal:size"] = pa.array([change(n, *a.known[n], a.known)[1] for n in names])
            return columns
        a.table = tables
    return edit


add("places: one byte on", "offset|local", both(lambda n, o, s, k: (o + 1, s) if n == "f1/y" else (o, s)))
add("places: one byte less", "size|local", both(lambda n, o, s, k: (o, s - 1) if n == "f1/y" else (o, s)))
add("places: one byte more", "size|local", both(lambda n, o, s, k: (o, s + 1) if n == "f1/y" else (o, s)))
add("places: no bytes", "size|local", both(lambda n, o, s, k: (o, 0) if n == "f0/x" else (o, s)))
add("places: of the sibling", "offset|local", both(lambda n, o, s, k: k[n[:3] + ("y" if n[3] == "x" else "x")]))
add("places: in the other folder", "offset|local|disagree", lambda a: setattr(a, "table", lambda t, c: dict(c, **{"internal:offset": pa.array(c["internal:offset"].to_pylist()[::-1])}) if t == "level0" else c))
add("places: at the end of the file", "offset|past|local", both(lambda n, o, s, k: (10**6, 0) if n == "f0/y" else (o, s)))
add("places: 2^63 - 1", "offset|past|local", both(lambda n, o, s, k: (2**63 - 1, 2**63 - 1) if n == "f0/y" else (o, s)))
# ---- Parquet


def written(t, **options):
    def edit(a):
        def write(n, table):
            if n != t:
                return None
            sink = pa.BufferOutputStream()
            pq.write_table(table, sink, **options)
            return sink.getvalue().to_pybytes()
        a.write = write
    return edit


def bytes_of(t, change):
    return lambda a: setattr(a, "write", lambda n, tab: change(whole(tab)) if n == t else None)


def cast(name, kind):
    return lambda t: column(t, name, lambda v: v.cast(kind) if not pa.types.is_dictionary(kind) else v.dictionary_encode())


for t in ("level0", "level1", "DATA/f1/__meta__"):
    for o in (dict(compression="none"), dict(compression="snappy"), dict(compression="gzip"), dict(compression="lz4"), dict(compression="brotli"),
              dict(data_page_version="2.0"), dict(use_dictionary=False), dict(row_group_size=1), dict(write_statistics=False), dict(write_page_index=True),
              dict(write_page_checksum=True), dict(store_schema=False), dict(version="1.0"), dict(column_encoding={"id": "DELTA_BYTE_ARRAY"}, use_dictionary=False)):
        add("%s: written with %s" % (t, o), OK, written(t, **o))
    add(t + ": large strings", OK, cast("id", pa.large_string())(t))
    add(t + ": ids of a dictionary", OK, cast("id", pa.dictionary(pa.int32(), pa.string()))(t))
    add(t + ": types of a dictionary", OK, cast("type", pa.dictionary(pa.int8(), pa.string()))(t))
    add(t + ": unsigned offsets", OK, cast("internal:offset", pa.uint64())(t))
    add(t + ": offsets of 16 bits", OK, cast("internal:offset", pa.int16())(t))
    add(t + ": ids in lists", r"\bid\b|type", column(t, "id", lambda v: pa.array([[x] for x in v.to_pylist()])))
    add(t + ": offsets in structs", "offset|type", column(t, "internal:offset", lambda v: pa.array([{"a": x} for x in v.to_pylist()])))
    add(t + ": offsets of booleans", "offset|type", column(t, "internal:offset", lambda v: pa.array([True] * len(v))))
    add(t + ": sizes of decimals", "size|type", column(t, "internal:size", lambda v: v.cast(pa.decimal128(38, 0))))
    add(t + ": id that is not UTF-8", r"\bid\b|UTF", lambda a, t=t: setattr(a, "write", lambda n, tab: badly(tab) if n == t else None))
    add(t + ": footer of 0 bytes", "Parquet|footer|level|meta", bytes_of(t, lambda b: b[:-8] + bytes(4) + b"PAR1"))
    add(t + ": footer larger than the file", "Parquet|footer|level|meta|end", bytes_of(t, lambda b: b[:-8] + b"\xff\xff\xff\x7f" + b"PAR1"))
    add(t + ": footer of bytes FF", "Parquet|footer|level|meta|Thrift", bytes_of(t, lambda b: b[:-60] + b"\xff" * 52 + b[-8:]))
    add(t + ": encrypted", "PARE|encrypt|level|meta|Parquet", bytes_of(t, lambda b: b"PARE" + b[4:-4] + b"PARE"))
    add(t + ": pages of zeros", "page|level|meta|Parquet|zstd", bytes_of(t, lambda b: b[:4] + bytes(60) + b[64:]))
    add(t + ": JSON", "Parquet|PAR1|level|meta", bytes_of(t, lambda b: b'[{"id": "f0"}]'))
    add(t + ": Arrow", "Parquet|PAR1|level|meta", bytes_of(t, lambda b: b"ARROW1\0\0" + b[8:]))
    add(t + ": twice in one file", OK, bytes_of(t, lambda b: b + b))
    add(t + ": a page checksum", "checksum|CRC|page", lambda a, t=t: setattr(a, "write", lambda n, tab: checksummed(tab) if n == t else None))
    add(t + ": a column of another name", OK, lambda a, t=t: setattr(a, "table", lambda n, c: dict(c, zz=pa.array([None] * len(c["id"]), pa.int32())) if n == t and t != "DATA/f1/__meta__" else c))
    add(t + ": statistics that are not true", WARNING + "maximum of its statistics", lambda a, t=t: setattr(a, "write", lambda n, tab: lying(tab) if n == t else None))


def badly(table):
    """The last id as bytes that are not UTF-8, in a column that says it is text."""
    ids = [x.encode() for x in table.column("id").to_pylist()]
    ids[-1] = b"\xff" * len(ids[-1])
    n = pa.array(ids, pa.binary())
    text = pa.Array.from_buffers(pa.string(), len(n), n.buffers())
    return whole(table.set_column(table.schema.get_field_index("id"), "id", text))


def checksummed(table):
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="none", write_page_checksum=True, use_dictionary=False)
    b = bytearray(sink.getvalue().to_pybytes())
    last = table.column("id").to_pylist()[-1].encode()
    at = b.index(struct.pack("<I", len(last)) + last) + 4
    b[at] ^= 1
    return bytes(b)


def lying(table):
    """The footer says of the column id that its largest value is its smallest."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="none", use_dictionary=False, write_statistics=["id"], store_schema=False)
    b = sink.getvalue().to_pybytes()
    footer = len(b) - 8 - struct.unpack("<I", b[-8:-4])[0]
    small, large = (bytes([len(x)]) + x.encode() for x in (min(table.column("id").to_pylist()), max(table.column("id").to_pylist())))
    return b[:footer] + b[footer:].replace(b"\x28" + large, b"\x28" + small)


# ---- COLLECTION.json again


def many(key, values, pattern=None):
    for v in values:
        add("collection: %s %s" % (key, json.dumps(v)[:60]), pattern or re.escape(key.split(":")[-1]), doc(**{key.replace(":", "__"): v}))


many("id", [True, [], {}, "ABC", "é É", " ", "a.b", "a:b", "a\n"])
many("dataset_version", ["", 1.5, [], True])
many("description", ["", [], {}])
many("taco_version", ["", 2, 2.0, []])
many("licenses", [[], "CC0", [1], [""], [None], {}, [["CC0"]]])
many("providers", [[], [{}], ["x"], [{"name": 5}], [{"name": ""}], {"name": "x"}, [None], [{"name": "x", "roles": "producer"}], [{"name": "x", "roles": [1]}], [{"name": "x", "email": 5}], [[]]])
many("curators", [5, {}, [{}], ["x"], [{"name": None}], [{"organization": 5}]])
many("tasks", [[], "classification", [5], [""], [None], {}])
many("title", [5, [], {}, True])
many("keywords", [5, [5], [""], {}, [None], [["x"]]])
many("extent", [5, True, {}, {"temporal": None}, {"spatial": []}, {"spatial": [0, 0, 1]}, {"spatial": [0, 0, 1, 1, 1]}, {"spatial": "world"}, {"spatial": {"west": 0}},
                {"spatial": [0, 0, 181, 1]}, {"spatial": [0, 0, 1, 91]}, {"spatial": [0, 0, None, 1]}, {"spatial": [0, 0, 1, 1], "temporal": "2020"},
                {"spatial": [0, 0, 1, 1], "temporal": []}, {"spatial": [0, 0, 1, 1], "temporal": [1, 2]},
                {"spatial": [0, 0, 1, 1], "temporal": ["2020-13-01T00:00:00Z", "2021-01-01T00:00:00Z"]},
                {"spatial": [0, 0, 1, 1], "temporal": ["2020-01-01T00:00:00Z", "2020-02-30T00:00:00Z"]},
                {"spatial": [0, 0, 1, 1], "temporal": ["2020-01-01T25:00:00Z", "2021-01-01T00:00:00Z"]},
                {"spatial": [0, 0, 1, 1], "temporal": ["", ""]}, {"spatial": [True, 0, 1, 1]}])
many("taco:pit_schema", [[], "x", True, {}, {"root": 5, "hierarchy": {}}, {"root": {}, "hierarchy": {}}], "pit|root|hierarchy|level")
many("taco:field_schema", [5, "x", {"level0": 5}, {"level0": ["id"]}, {"level0": [["id"]]}, {"level0": [[5, "string"]]}, {"level0": {"id": "string"}}], "field_schema|level0")
for text in ("[170, -10, -170]", "[1e400, 0, 1, 1]", "[NaN, 0, 1, 1]", "[-1e-400, 0, 1, 1,]"):
    add("collection: extent text %s" % text, "extent|number|JSON|COLLECTION|expected", lambda a, t=text: setattr(a, "text", json.dumps(a.collection).replace("[-180.0, -90.0, 180.0, 90.0]", t).encode()))
add("collection: nested 2000 deep", "deep|nest|depth", lambda a: setattr(a, "text", json.dumps(a.collection)[:-1].encode() + b', "x": ' + b"[" * 2000 + b"]" * 2000 + b"}"))
add("collection: id twice", OK, lambda a: setattr(a, "text", b'{"id": "first", ' + json.dumps(a.collection).encode()[1:]))
add("collection: NUL behind it", "COLLECTION|JSON|expected", lambda a: setattr(a, "text", json.dumps(a.collection).encode() + b"\0"))
add("collection: lone surrogate", OK, lambda a: setattr(a, "text", json.dumps(a.collection).encode().replace(b'"description": "d"', b'"description": "\\ud800"')))
add("collection: control character", "COLLECTION|JSON|control", lambda a: setattr(a, "text", json.dumps(a.collection).encode().replace(b'"description": "d"', b'"description": "\x01"')))
add("collection: UTF-16", "COLLECTION|JSON|UTF", lambda a: setattr(a, "text", json.dumps(a.collection).encode("utf-16")))
add("collection: comments", "COLLECTION|JSON|expected", lambda a: setattr(a, "text", b"/* x */" + json.dumps(a.collection).encode()))
add("collection: single quotes", "COLLECTION|JSON|expected", lambda a: setattr(a, "text", str(a.collection).encode()))
add("collection: in another layout", OK, lambda a: setattr(a, "text", json.dumps(a.collection, indent="\t").encode() + b"\r\n \t"))
add("collection: unknown fields", OK, doc(publications=[{"doi": "10.1/x"}], zz=None, a__b={"c": [1]}))
add("pit: n is null", OK, pit(lambda p: p["root"].update(n=None)))
for n in ("2", 2.5, True, [2], 2**70, 0, 1):
    add("pit: n is %s" % json.dumps(n), r"\bn\b|pit", pit(lambda p, n=n: p["root"].update(n=n)))
for h in ([], "x", 5, None, {"1": {}}, {"1": []}, {"1": "x"}, {"1": [5]}, {"1": [{}]}, {"0": [{"n": 2, "type": ["FOLDER"], "id": ["f0"]}]}, {"x": []},
          {"1": [{"n": 4, "type": "FILE", "id": ["x", "y"]}]}, {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": "xy"}]}, {"1": [{"n": 4, "type": ["FILE"], "id": ["x", "y"]}]},
          {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["x"]}]}, {"1": [{"n": 4, "type": ["FILE", "file"], "id": ["x", "y"]}]}, {"1": [{"n": 4, "type": [1, 2], "id": ["x", "y"]}]},
          {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": [1, 2]}]}, {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["y", "x"]}]}, {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["x", "x"]}]},
          {"1": [{"n": 4, "type": ["FILE", "FILE", "FILE"], "id": ["x", "y", "z"]}]}, {"1": [{"n": 4, "id": ["x", "y"]}]}, {"1": [{"n": 4, "type": ["FILE", "FILE"]}]},
          {"2": [{"n": 4, "type": ["FILE", "FILE"], "id": ["x", "y"]}]}):
    add("pit: hierarchy %s" % json.dumps(h), "hierarchy|pit|level|pattern", pit(lambda p, h=h: p.update(hierarchy=h)))
add("pit: two patterns of which one is nobody's", "hierarchy|pit|pattern", pit(lambda p: p["hierarchy"]["1"].append({"n": 4, "type": ["FILE"], "id": ["q"]})))
add("pit: a child that begins with __", "hierarchy|pit|pattern|id", pit(lambda p: p["hierarchy"]["1"][0].update(id=["x", "__y"])))
# ---- the tree again
add("PIT-1: more children", "PIT|f1|children", lambda a: setattr(a, "table", more_children))
add("PIT-2: v is text in f1", "PIT-2|type|disagree", column("DATA/f1/__meta__", "v", lambda v: v.cast(pa.string())))
add("PIT-2: v is int32 in f1", "PIT-2|type", column("DATA/f1/__meta__", "v", lambda v: v.cast(pa.int32())))
add("all payloads empty", OK, lambda a: setattr(a, "payload", lambda f, c: b""))
add("a payload that looks like an archive", OK, lambda a: setattr(a, "payload", lambda f, c: LOCAL + CENTRAL + bytes(40) + END + bytes(18)))
add("rows in another order, numbered as before", OK, lambda a: setattr(a, "table", lambda n, c: pa.table(c).take(pa.array([1, 0])) if n == "level0" else c))


def more_children(t, c):
    if t != "DATA/f1/__meta__":
        return c
    t = pa.table(c)
    return pa.concat_tables([t, t.slice(0, 1).set_column(0, "id", pa.array(["z"]))])


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


failures = judged = 0


def judge(name, path, pattern):
    global failures, judged
    judged += 1
    p = subprocess.run([TACO, "validate", path, "--deep", "--json"], capture_output=True, text=True, timeout=20)
    try:
        got = json.loads(p.stdout)
    except ValueError as e:  # --json is JSON whatever is wrong
        failures += 1
        print("FAIL %s: status %d, no JSON (%s): %s" % (name, p.returncode, e, p.stdout[:300]))
        return
    text = p.stderr + " ".join(x["where"] + ": " + x["message"] for x in got["problems"])
    warning = pattern is not OK and pattern.startswith(WARNING)
    if p.returncode > 1 or (pattern is OK or warning) != (p.returncode == 0) or (pattern and not re.search(pattern[len(WARNING) * warning:], text, re.I)):
        failures += 1
        print("FAIL %s: status %d, wanted %s: %s" % (name, p.returncode, pattern or "valid", text[:300]))
    if judged % EVERY == 0 or name == "good":
        used(name, path, pattern is OK)


def used(name, path, valid):
    """Commands on a damaged dataset answer, or fail with one line; on a good one they answer. A repaired one is valid."""
    global failures

    def run(*args):
        global failures
        p = subprocess.run([TACO, *args], capture_output=True, timeout=20)
        lines = [l for l in p.stderr.decode(errors="replace").splitlines() if "warning: " not in l]
        if p.returncode not in (0, 1) or (valid and p.returncode and args[0] != "repair") or (p.returncode == 1 and len(lines) != 1 and args[0] != "repair"):
            failures += 1
            print("FAIL %s: %s: status %d: %s" % (name, args[0], p.returncode, p.stderr.decode(errors="replace")[-600:]))
        return p

    run("info", path)
    run("query", path, "--format", "vsi")
    run("query", path, "--level", "1", "--where", "id = 'y'")
    for key in ("f0/x", "f1/y") if name != "other" else ():
        p = run("get", path, key)
        if valid and p.returncode == 0 and name != "payload empty" and key.encode() not in p.stdout and not re.search("payload|retree", name):
            failures += 1
            print("FAIL %s: get %s is %r" % (name, key, p.stdout[:80]))
    if os.path.isfile(path) and not path.endswith("__TACOCAT__"):
        out = os.path.join(DIR, "repaired.tacozip")
        if os.path.exists(out):
            os.remove(out)
        p = run("repair", path, out)
        if p.returncode == 0:
            q = subprocess.run([TACO, "validate", out, "--deep"], capture_output=True, text=True)
            if q.returncode:
                failures += 1
                print("FAIL %s: repaired, and not valid: %s" % (name, q.stdout[:400]))
        elif valid:
            failures += 1
            print("FAIL %s: valid, but repair says %s %s" % (name, p.stdout[-300:], p.stderr[-300:]))
        if [x for x in os.listdir(DIR) if ".part" in x]:
            failures += 1
            print("FAIL %s: repair left %s" % (name, os.listdir(DIR)))


def swap(path):
    os.remove(path)
    os.mkdir(path)


def exchange(a, b):
    os.rename(a, a + ".x"); os.rename(b, a); os.rename(a + ".x", b)


def link(to, path):
    os.remove(path)
    os.symlink(to, path)


def put(t, name, i, value):
    k = t.schema.get_field_index(name)
    return t.set_column(k, name, at(i, value)(t.column(k).combine_chunks()))


def table_of(d, level, change):
    p = d + "/METADATA/level%d.parquet" % level
    pq.write_table(change(pq.read_table(p)), p)


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
            ("collection damaged", lambda d: open(d + "/COLLECTION.json", "w").write("{"), "COLLECTION|expected"),
            ("collection empty", lambda d: open(d + "/COLLECTION.json", "w").close(), "COLLECTION|empty"),
            ("collection is a directory", lambda d: swap(d + "/COLLECTION.json"), "COLLECTION|missing"),
            ("level0 is a directory", lambda d: swap(d + "/METADATA/level0.parquet"), "level0"),
            ("level1 is a directory", lambda d: swap(d + "/METADATA/level1.parquet"), "level"),
            ("level1 empty", lambda d: open(d + "/METADATA/level1.parquet", "w").close(), "level1"),
            ("level0 is level1", lambda d: shutil.copy(d + "/METADATA/level1.parquet", d + "/METADATA/level0.parquet"), "level|row|n\\b|parent"),
            ("level1 is level0", lambda d: shutil.copy(d + "/METADATA/level0.parquet", d + "/METADATA/level1.parquet"), "level|parent|row"),
            ("levels swapped", lambda d: exchange(d + "/METADATA/level0.parquet", d + "/METADATA/level1.parquet"), "level|parent|row"),
            ("one more level", lambda d: shutil.copy(d + "/METADATA/level1.parquet", d + "/METADATA/level2.parquet"), "level2"),
            ("level 3 without 2", lambda d: shutil.copy(d + "/METADATA/level1.parquet", d + "/METADATA/level3.parquet"), "gap"),
            ("__meta__ is a directory", lambda d: swap(d + "/DATA/f1/__meta__"), "__meta__|missing"),
            ("__meta__ empty", lambda d: open(d + "/DATA/f1/__meta__", "w").close(), "__meta__"),
            ("__meta__ cut", lambda d: os.truncate(d + "/DATA/f1/__meta__", 200), "__meta__"),
            ("__meta__ of one row", lambda d: pq.write_table(pq.read_table(d + "/DATA/f1/__meta__").slice(0, 1), d + "/DATA/f1/__meta__"), "__meta__"),
            ("__meta__ of other values", lambda d: pq.write_table(pq.read_table(d + "/DATA/f1/__meta__").set_column(2, "v", pa.array([5, 6])), d + "/DATA/f1/__meta__"), "__meta__|disagree"),
            ("__meta__ of level0", lambda d: shutil.copy(d + "/METADATA/level0.parquet", d + "/DATA/f0/__meta__"), "__meta__"),
            ("__meta__ at the root", lambda d: shutil.copy(d + "/DATA/f0/__meta__", d + "/DATA/__meta__"), OK),
            ("a file in the place of a folder", lambda d: (shutil.rmtree(d + "/DATA/f1"), open(d + "/DATA/f1", "w").close()), "f1|__meta__"),
            ("DATA is a file", lambda d: (shutil.rmtree(d + "/DATA"), open(d + "/DATA", "w").close()), "DATA|__meta__|missing"),
            ("payload empty", lambda d: open(d + "/DATA/f0/x", "w").close(), OK),
            ("payload longer", lambda d: open(d + "/DATA/f0/x", "a").write("f0/x"), OK),
            ("payload in other letters", lambda d: os.rename(d + "/DATA/f0/x", d + "/DATA/f0/X"), "DATA/f0/x|missing"),
            ("folder in other letters", lambda d: os.rename(d + "/DATA/f0", d + "/DATA/F0"), "f0"),
            ("payload a link to itself", lambda d: link("x", d + "/DATA/f0/x"), "DATA/f0/x|missing"),
            ("payload a dangling link", lambda d: link("nowhere", d + "/DATA/f0/x"), "DATA/f0/x|missing"),
            ("payload a good link", lambda d: (shutil.copy(d + "/DATA/f0/x", d + "/../elsewhere"), link("../../../elsewhere", d + "/DATA/f0/x")), OK),
            ("__meta__ a dangling link", lambda d: link("nowhere", d + "/DATA/f0/__meta__"), "__meta__"),
            ("payload a pipe", lambda d: (os.remove(d + "/DATA/f0/x"), os.mkfifo(d + "/DATA/f0/x")), "DATA/f0/x|missing|pipe|regular"),
            ("__meta__ a pipe", lambda d: (os.remove(d + "/DATA/f0/__meta__"), os.mkfifo(d + "/DATA/f0/__meta__")), "__meta__"),
            ("level1 a pipe", lambda d: (os.remove(d + "/METADATA/level1.parquet"), os.mkfifo(d + "/METADATA/level1.parquet")), "level"),
            ("collection a pipe", lambda d: (os.remove(d + "/COLLECTION.json"), os.mkfifo(d + "/COLLECTION.json")), "COLLECTION"),
            ("payload a device", lambda d: link("/dev/zero", d + "/DATA/f0/x"), "DATA/f0/x|missing|device|regular"),
            ("files nobody lists", lambda d: (open(d + "/DATA/f0/z", "w").close(), open(d + "/README.md", "w").close(), open(d + "/.DS_Store", "w").close()), OK),
            ("relative_path missing", lambda d: table_of(d, 1, lambda t: t.drop_columns(["internal:relative_path"])), "relative_path"),
            ("relative_path ..", lambda d: table_of(d, 1, lambda t: put(t, "internal:relative_path", 1, "../f0/y")), "relative_path"),
            ("relative_path absolute", lambda d: table_of(d, 1, lambda t: put(t, "internal:relative_path", 1, "/etc/passwd")), "relative_path"),
            ("relative_path of the sibling", lambda d: table_of(d, 1, lambda t: put(t, "internal:relative_path", 1, "f0/x")), "relative_path|path"),
            ("relative_path null", lambda d: table_of(d, 1, lambda t: put(t, "internal:relative_path", 1, None)), "relative_path"),
            ("relative_path with backslashes", lambda d: table_of(d, 1, lambda t: put(t, "internal:relative_path", 1, "f0\\y")), "relative_path"),
            ("id ..", lambda d: table_of(d, 0, lambda t: put(t, "id", 1, "..")), "id"),
            ("id of another folder", lambda d: table_of(d, 0, lambda t: put(t, "id", 1, "f7")), "f7|path|relative"),
            ("id twice", lambda d: table_of(d, 0, lambda t: put(t, "id", 1, "f0")), "duplicate|unique|f0"),
            ("no places", lambda d: [table_of(d, k, lambda t: t.drop_columns(["internal:offset", "internal:size"])) for k in (0, 1)], OK),
            ("parent 9", lambda d: table_of(d, 1, lambda t: put(t, "internal:parent_id", 3, 9)), "parent")):
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
             ("offset column", col(0, "internal:offset", None), "offset"),
             ("part one byte shorter", lambda d: os.truncate(d + "/b.tacozip", os.path.getsize(d + "/b.tacozip") - 1), "b.tacozip"),
             ("part one byte longer", lambda d: open(d + "/b.tacozip", "ab").write(b"x"), "b.tacozip"),
             ("part a directory", lambda d: swap(d + "/b.tacozip"), "b.tacozip"),
             ("part a pipe", lambda d: (os.remove(d + "/b.tacozip"), os.mkfifo(d + "/b.tacozip")), "b.tacozip"),
             ("part a dangling link", lambda d: link("nowhere", d + "/b.tacozip"), "b.tacozip"),
             ("part a good link", lambda d: link("a.tacozip", d + "/b.tacozip"), OK),
             ("part with other bytes in a payload", lambda d: patch(d + "/b.tacozip", b"payload of f1/y", b"Payload of f1/y"), "b.tacozip.*(CRC|checksum)"),
             ("part in other letters", lambda d: os.rename(d + "/b.tacozip", d + "/B.tacozip"), "b.tacozip"),
             ("part is the catalogue", lambda d: shutil.copy(d + "/.tacocat/level0.parquet", d + "/b.tacozip"), "b.tacozip"),
             ("both parts missing", lambda d: (os.remove(d + "/a.tacozip"), os.remove(d + "/b.tacozip")), "a.tacozip"),
             ("source with a directory", col(0, "internal:source_file", at(1, "x/a.tacozip")), "source_file"),
             ("source with a backslash", col(0, "internal:source_file", at(1, "x\\a.tacozip")), "source_file"),
             ("source empty", col(0, "internal:source_file", at(1, "")), "source_file"),
             ("source .", col(0, "internal:source_file", at(1, ".")), "source_file"),
             ("source with a zero byte", col(0, "internal:source_file", at(1, "a\0b")), "source_file"),
             ("rows of the other archive first", col(1, "internal:source_file", lambda v: pa.array(v.to_pylist()[::-1], v.type)), OK),
             ("sources of numbers", col(0, "internal:source_file", lambda v: pa.array(range(len(v)))), "source_file"),
             ("source_file of level 1 missing", col(1, "internal:source_file", None), "source_file"),
             ("offset null", col(1, "internal:offset", at(2, None)), "offset"),
             ("offset negative", col(1, "internal:offset", at(2, -1)), "offset"),
             ("size 2^62", col(1, "internal:size", at(2, 2**62)), "size|past|archive"),
             ("size of level 0", col(0, "internal:size", plus(1, 1)), "size|archive"),
             ("size column", col(1, "internal:size", None), "size"),
             ("type", col(1, "type", at(2, "FOLDER")), "type|archive|FOLDER"),
             ("type null", col(0, "type", at(1, None)), "type"),
             ("id null", col(0, "id", at(1, None)), "id"),
             ("id column", col(0, "id", None), "id"),
             ("value", col(1, "v", plus(2, 7)), "archive|differ|disagree|\\bv\\b"),
             ("parent column", col(1, "internal:parent_id", None), "parent"),
             ("parent null", col(1, "internal:parent_id", at(2, None)), "parent"),
             ("parent negative", col(1, "internal:parent_id", at(2, -1)), "parent"),
             ("level0 missing", lambda d: os.remove(d + "/.tacocat/level0.parquet"), "level0"),
             ("level0 a directory", lambda d: swap(d + "/.tacocat/level0.parquet"), "level0"),
             ("level0 cut", lambda d: os.truncate(d + "/.tacocat/level0.parquet", 300), "level0"),
             ("level1 empty", lambda d: open(d + "/.tacocat/level1.parquet", "w").close(), "level1"),
             ("one row fewer", lambda d: tables(d, lambda k, t: t.slice(0, t.num_rows - 1) if k == 1 else None), "row|archive|level"),
             ("one row more", lambda d: tables(d, lambda k, t: pa.concat_tables([t, t.slice(0, 1)]) if k == 1 else None), "row|duplicate|archive"),
             ("no row", lambda d: tables(d, lambda k, t: t.slice(0, 0) if k == 1 else None), "row|empty|archive"),
             ("rows of one part", lambda d: tables(d, lambda k, t: t.slice(0, t.num_rows // 2)), "b.tacozip|rows|n\\b|source"),
             ("rows mixed", lambda d: tables(d, lambda k, t: t.take(pa.array([2, 1, 0, 3])) if k == 0 else None), "order|archive|parent|row|path|PIT|differ"),
             ("one more level", lambda d: shutil.copy(d + "/.tacocat/level1.parquet", d + "/.tacocat/level2.parquet"), "level2"),
             ("collection cut", lambda d: os.truncate(d + "/.tacocat/COLLECTION.json", 300), "COLLECTION"),
             ("collection empty", lambda d: open(d + "/.tacocat/COLLECTION.json", "w").close(), "COLLECTION"),
             ("collection without sources", lambda d: collection(d, lambda c: c.pop("taco:sources")), OK),
             ("sources count", lambda d: collection(d, lambda c: c["taco:sources"].update(count=5)), WARNING + "sources"),
             ("sources files", lambda d: collection(d, lambda c: c["taco:sources"].update(files=["q.tacozip", "b.tacozip"])), WARNING + "sources"),
             ("sources of another type", lambda d: collection(d, lambda c: c.update({"taco:sources": [1]})), WARNING + "sources"),
             ("collection n", lambda d: collection(d, lambda c: c["taco:pit_schema"]["root"].update(n=3)), r"\bn\b"),
             ("collection hierarchy", lambda d: collection(d, lambda c: c["taco:pit_schema"].update(hierarchy={})), "hierarchy|level"),
             ("collection without id", lambda d: collection(d, lambda c: c.pop("id")), "id")]

    def collection(d, change):
        p = d + "/.tacocat/COLLECTION.json"
        c = json.load(open(p))
        change(c)
        json.dump(c, open(p, "w"))

    def patch(path, old, new):
        b = open(path, "rb").read()
        assert old in b
        open(path, "wb").write(b.replace(old, new))
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
