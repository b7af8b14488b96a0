#!/usr/bin/env python3
"""legacy.py - makes fuzz/seeds/legacy and tortilla again: small Tortilla and TACO 0.x files, many with faults. Needs pyarrow.

tortilla/ has single files: headers, footers, columns and collections that break the rules, tortillas in tortillas, chains of
footers with tiles of TIFFs. legacy/ has archives of several: the parts of a set, files whose columns differ, from before 0.3,
with a `collection` for the writers."""
import io, json, math, os, struct, zipfile
import pyarrow as pa, pyarrow.parquet as pq
from tiff import SEEDS as TIFF

HEADER = 200


def table(columns, **meta):
    """columns: name -> list or array; None: no such column."""
    columns = {k: v if isinstance(v, (pa.Array, pa.ChunkedArray)) else pa.array(v) for k, v in columns.items() if v is not None}
    t = pa.Table.from_arrays(list(columns.values()), names=list(columns))
    out = io.BytesIO()
    with pq.ParquetWriter(out, t.schema, compression="none", write_statistics=False, use_dictionary=False, store_schema=False) as w:
        w.write_table(t)
        if meta: w.add_key_value_metadata(meta)
    return out.getvalue()


def place(payloads, at=HEADER):
    offsets = []
    for p in payloads:
        offsets.append(at)
        at += len(p)
    return {"tortilla:offset": offsets, "tortilla:length": [len(p) for p in payloads]}


def framed(body, footer, collection=b"", parts=1, magic=None, at=None, free=b"", range=None):
    """A header, what is in `body`, footer and collection. range: that of the collection in the header."""
    at = HEADER + len(body) if at is None else at
    magic = magic or (b"WX" if collection else b"#y")
    head = struct.pack("<2sQQQ", magic, at, len(footer), parts)
    if collection or range: head += struct.pack("<QQ", *(range or (at + len(footer), len(collection))))
    return (head + free).ljust(HEADER, b"\0") + body + footer + collection


def rows(payloads, formats=None, ids=None):
    n = len(payloads)
    return dict({"tortilla:id": ids or ["s%d" % i for i in range(n)], "tortilla:file_format": formats or ["BYTES"] * n}, **place(payloads))


def tortilla(payloads, formats=None, ids=None, more={}, meta={}, **how):
    return framed(b"".join(payloads), table(dict(rows(payloads, formats, ids), **more), **meta), **how)


def old(payloads, driver=b"GTiff", parts=1, collection=b"", more={}, footer=None, first=False):
    """A file from before 0.3: one format for all samples; first: with a header of 50 bytes."""
    size = 50 if first else HEADER
    body = b"".join(payloads)
    columns = dict({"tortilla:id": ["o%d" % i for i in range(len(payloads))]}, **place(payloads, size))
    footer = table(dict(columns, **more)) if footer is None else footer
    head = struct.pack("<2sQQ", b"WX" if collection else b"#y", size + len(body), len(footer)) + driver.ljust(32 if first else 24)
    if not first: head += struct.pack("<QQQ", parts, size + len(body) + len(footer), len(collection))
    return head.ljust(size, b"\0") + body + footer + collection


def chain(payloads, objects, last="NULL", collection=b"", **pointers):
    """objects: columns of each; they are written last first, so that each knows where the next one is. oN: the pointer of object N."""
    body, pointer = b"".join(payloads), last
    for k in reversed(range(len(objects))):
        footer = table(objects[k], pointer=pointers.get("o%d" % k, pointer))
        if k: pointer, body = "OFFSETLENGTH(%d, %d)" % (HEADER + len(body), len(footer)), body + footer
    return framed(body, footer, collection)


def members(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, data in files.items():
            z.writestr(zipfile.ZipInfo(name.replace("__", ".")), data)
    return out.getvalue()


GOOD = {"id": "demo", "taco_version": "0.2.0", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "providers": [{"name": "x", "roles": ["host"]}],
        "curators": [{"name": "y", "organization": "z", "email": "e", "links": [{"href": "h", "rel": "r"}]}], "task": "classification", "title": "t", "keywords": ["k"],
        "extent": {"spatial": [[-10, -20, 30, 40]], "temporal": [["2020-01-01T00:00:00Z", "2021-01-01"]]}, "raw_link": {"href": "h"}, "discuss_link": None, "split_strategy": "random"}


def collection(**more):
    return json.dumps({k: v for k, v in dict(GOOD, **more).items() if v != "absent"}).encode()


COLLECTIONS = {
    "good": collection(), "texts": collection(id="", taco_version="x.1", dataset_version=5, description=None, title=5, task=[], split_strategy={}, licenses=["", 5], keywords=[""]),
    "lists": collection(licenses=[], keywords="k", providers=[], curators="absent", data_curator=[]), "types": collection(licenses="MIT", providers={}, curators=5),
    "people": collection(providers=[{}, 5, {"organization": "o"}], curators=[{"name": ""}], data_curator=[{"name": 3}]), "extent": collection(extent=[1]),
    "boxes": collection(extent={"spatial": [[1, 2, 3], [-200, 0, 0, 0], [0, 50, 1, -50], [0, 0, 0, 1, 1, 1], [1, 2, "x", 4], []], "temporal": None}),
    "box": collection(extent={"spatial": [0, 0, 1, 1], "temporal": [None]}), "no_box": collection(extent={"spatial": [], "temporal": []}), "times": collection(extent={
        "spatial": {}, "temporal": [["2021-01-01", "2020-01-01"], [5, 7], [None, 5], ["x", "2020"], [1]]}), "interval": collection(extent={"temporal": [9, 3]}),
    "links": collection(raw_link=5, discuss_link="http://x", extent={"spatial": 5, "temporal": {}}), "links_objects": collection(raw_link={}, discuss_link={"href": 5}),
    "nothing": b"{}", "list": b"[1]", "cut": b'{"id": "x', "twice": b'{"id":"a","id":"b"}',
}
TEN = b"0123456789"
f64, i64 = pa.list_(pa.float64()), pa.list_(pa.int64())
N = 8
VALUES = {
    "stac:crs": ["", "EPSG:4326", "EPSG:", "WGS84", None, "ESRI:54009", "SR-ORG:1", "EPSG:32633"],
    "stac:geotransform": pa.array([[0, 1, 0, 0, 0, -1], [0, 1, 0, 0, 0], [math.nan] * 6, [], None, [1, None, 3, 4, 5, 6], [5e5, 10, 0, 4e6, 0, -10], [5e5, 10, 0, 4e6, 0, -10]], f64),
    "stac:raster_shape": pa.array([[5, 5], [0, 1], [1], None, [], [1, 2, 3], [-1, 2], [2, 2]], i64),
    "stac:tensor_shape": pa.array([[5], [0], [], None, [None], [1, 2, 3], [-1, 2], [2, 2]], i64),
    "stac:time_start": [0, 5, 9, None, -2 ** 62, 2 ** 62, 1, 7], "stac:time_end": [1, 4, 8, 3, None, -5, 1, 7],
    "stac:centroid": ["POINT (1 2)", "POINT (200 95)", "point(1 2)", "", None, "POINT (1)", "POINT (nan 2)", "POLYGON ((1 2))"],
    "rai:elevation": [1.0, math.nan, None, math.inf, -1e300, 0, 5, 6], "rai:ele": [1] * N, "rai:cisi": [0.5, 1.5, -1, math.nan, None, 0, 1, 2], "rai:gdp": [1] * N,
    "rai:hdi": [0, 2, 0, 0, None, 1, 1, -0.1], "rai:gmi": [0.0, 7, None, 1, 1, 1, 1, -1], "rai:pop": [1] * N, "rai:admin0": ["a"] * N, "rai:admin1": ["a"] * N, "rai:admin2": ["a"] * N,
    "tortilla:data_split": ["train", "Train", "", None, "validation", "test", "val", "x"],
}
WRONG = {
    "stac:crs": [1, 2], "stac:geotransform": ["a", "b"], "stac:raster_shape": pa.array([[1.5, 2], None], f64), "stac:tensor_shape": pa.array([["a"], None]), "stac:time_start": ["2020", None],
    "stac:time_end": [True, False], "stac:centroid": [1.5, 2], "rai:elevation": ["x", "y"], "rai:cisi": ["x", "y"], "rai:gdp": ["x", "y"], "rai:hdi": pa.array([b"a", b"b"]), "rai:gmi": [True, None],
    "rai:pop": pa.array([[1], [2]]), "rai:admin0": [1, 2], "rai:admin1": [1.5, 2], "rai:admin2": [True, False], "tortilla:data_split": [1, 2],
}
NULLS = {k: pa.nulls(2) for k in WRONG}
PARTLY = {"stac:crs": ["EPSG:4326"] * 2, "stac:time_start": [1.5, 2.5], "rai:hdi": [0.5, 1], "rai:ele": [1, 2]}
PLACED = {"stac:crs": ["EPSG:4326", "EPSG:32633"], "stac:geotransform": pa.array([[0, 1, 0, 0, 0, -1], [5e5, 10, 0, 4e6, 0, -10]], f64), "stac:raster_shape": pa.array([[5, 5], [9, 9]], i64),
          "stac:time_start": [1577836800, 1600000000], "stac:time_end": [1577836801, 1600000001]}


def nest(*children, deep=1):
    """Tortillas of so many levels."""
    inside = [tortilla(c if isinstance(c, list) else [c]) for c in children]
    for _ in range(deep - 1):
        inside = [tortilla([x], ["TORTILLA"]) for x in inside]
    return inside


INNER = tortilla([TEN, b"ab"])
TOG, PLAIN_TIFF = TIFF["tog"].ljust(1200, b"\7"), TIFF["matrix"]
FIRST = rows([INNER, TEN], ["TORTILLA", "GTiff"])
SECOND = {"root": ["s0", "s0"], "tortilla:id": ["s0", "s1"], "tortilla:file_format": ["BYTES", "BYTES"], "tortilla:offset": [400, 410], "tortilla:length": [5, 2]}


def tiles(sample, format="GTiff", ids=("s0::0", "s0::1"), lengths=(3, 4), root=None, first={}, **more):
    one = dict(rows([sample, TEN], [format, "BYTES"]), root=["s0", "s1"], **first)
    two = dict({"root": root or ["s0"] * 2, "tortilla:id": list(ids), "tortilla:offset": [HEADER, HEADER + 3], "tortilla:length": list(lengths)}, **more)
    return chain([sample, TEN], [one, two])


def linked(second={}, first={}, **how):
    return chain([INNER, TEN], [dict(FIRST, **dict({"root": ["s0", "s1"]}, **first)), dict(SECOND, **second)], **how)


def moved(**more):
    return tortilla([TEN, TEN, TEN], more={"tortilla:" + k: v for k, v in more.items()})


def ranged(at, size, inner=None):
    return tortilla([INNER, TEN], ["TORTILLA", "BYTES"], more={"tortilla:offset": [HEADER, at], "tortilla:length": [len(INNER), size]})


END = HEADER + 30
SAME = tortilla([TEN], meta={"filler": "x" * 9000})
TORTILLA = {
    "values": tortilla([TEN] * N, more=VALUES), "wrong": tortilla([TEN] * 2, more=WRONG), "nulls": tortilla([TEN] * 2, more=NULLS), "partly": tortilla([TEN] * 2, more=PARTLY),
    "placed": tortilla([TEN] * 2, more=PLACED), "formats": tortilla([TEN] * 4, ["nope", "", None, "GTiff"]), "no_format": tortilla([TEN] * 2, more={"tortilla:file_format": None}),
    "format_number": tortilla([TEN] * 2, more={"tortilla:file_format": [1, 2]}), "ids": tortilla([TEN] * 5, ids=["a", "a", "", None, ""]), "id_number": tortilla([TEN], ids=[1]),
    "names": tortilla([TEN] * 8, ids=["a/b", "a\\c", "__x", ".", "..", "a:b", "e\0f", "\u00e9"], more={"id": [1] * 8, "type": ["x"] * 8, "a:b": [1] * 8, "": [1] * 8, "internal:x": [1] * 8}),
    "no_id": tortilla([TEN], more={"tortilla:id": None}), "no_offset": tortilla([TEN], more={"tortilla:offset": None}), "offset_text": moved(offset=["1", "2", "3"]),
    "offset_null": moved(offset=pa.array([200, None, 210])), "length_negative": moved(length=[-1, 0, 1]), "length_beyond": moved(length=[10 ** 9, 0, 1]), "offset_large": moved(offset=[2 ** 63 - 1, 0, 1]),
    "over_header": moved(offset=[10, 210, 220]), "over_footer": moved(offset=[HEADER, END + 10, 205]), "shared": moved(offset=[200, 205, 200], length=[30, 2, 0]), "no_rows": tortilla([], more={
        "tortilla:id": pa.array([], pa.string()), "tortilla:file_format": pa.array([], pa.string()), "tortilla:offset": pa.array([], pa.int64()), "tortilla:length": pa.array([], pa.int64())}),
    "small_types": moved(offset=pa.array([200, 210, 220], pa.uint16()), length=pa.array([1, 2, 3], pa.int8())), "pandas": tortilla([TEN], more={"__index_level_0__": [1], "i": [5], "internal:subfile": ["x"]}, meta={
        "pandas": '{"index_columns": ["i", {"kind": "range"}]}'}), "pandas_odd": tortilla([TEN], meta={"pandas": "{"}), "no_parts": tortilla([TEN], parts=0), "many_parts": tortilla([TEN], parts=7),
    "taco_bare": tortilla([TEN], magic=b"WX"), "reserved": tortilla([TEN], free=bytes(60) + b"x"), "footer_in_header": tortilla([TEN], at=100), "footer_beyond": tortilla([TEN], at=9999), "footer_far": tortilla([TEN], at=2 ** 64 - 5),
    "collection_beyond": tortilla([TEN], range=(10, 10 ** 6)), "collection_in_header": tortilla([TEN], range=(10, 50)), "collection_over": tortilla([TEN], range=(HEADER, 10)), "cut": tortilla([TEN])[:120], "short": b"#y" + bytes(9),
    "nested": tortilla([INNER, TEN, INNER], ["TORTILLA", "BYTES", "TORTILLA"]), "uneven": tortilla(nest([TEN] * 3, [TEN]) + [TEN], ["TORTILLA", "TORTILLA", "BYTES"]),
    "even": tortilla(nest([TEN] * 2, [b"x", b""]), ["TORTILLA"] * 2), "three": tortilla(nest([TEN] * 2, [TEN], deep=2), ["TORTILLA"] * 2), "eight": tortilla(nest(b"x", deep=8), ["TORTILLA"]),
    "inner_beyond": tortilla([tortilla([TEN, TEN], more={"tortilla:offset": [HEADER, 900]}), TEN * 100], ["TORTILLA", "BYTES"]), "inner_text": tortilla([TEN * 30], ["TORTILLA"]), "inner_short": tortilla([b"#y"], ["TORTILLA"]),
    "inner_footer": tortilla([tortilla([TEN])[:-4] + b"XXXX"], ["TORTILLA"]), "itself": tortilla([TEN], ["TORTILLA"], more={"tortilla:offset": [0], "tortilla:length": [300]}),
    "many_shared": tortilla([SAME], ["TORTILLA"] * 130, ["s%d" % i for i in range(130)], more={"tortilla:offset": [HEADER] * 130, "tortilla:length": [len(SAME)] * 130}),
    "old": old([TEN, TEN]), "old_collection": old([TEN, TEN], parts=3, collection=COLLECTIONS["texts"]), "old_first": old([TEN], first=True), "old_tortilla": old([old([TEN]), old([TEN, b"x"])], b"TORTILLA"),
    "old_values": old([TEN] * N, more=VALUES), **{"old_json_%d" % i: old([TEN], first=i % 2 == 0, footer=x) for i, x in enumerate([b'{"a": [50, 5], "": [60, 0]}', b'{"a": [50]}', b'{"a": [50, -5]}', b'{"a": "b"}',
        b"{}", b'{"a": [1e3, 5]}', b"{"])},
    "chain": linked(), "chain_three": chain([INNER, TEN], [dict(FIRST, root=["s0", "s1"]), dict(SECOND, **{"tortilla:file_format": ["TORTILLA", "BYTES"]}), {"root": ["s0/s0"], "tortilla:id": ["x"], "tortilla:offset": [402], "tortilla:length": [1]}]),
    "chain_quoted": linked(o0='"null"', collection=COLLECTIONS["good"]), "chain_blank": linked(last=" \t"), "chain_no_root": linked(first={"root": None}), "chain_no_roots": linked({"root": None}),
    "chain_numbers": linked({"root": [0, 0]}), "chain_number_beyond": linked({"root": [0, 7]}), "chain_root_null": linked({"root": ["s0", None]}), "chain_root_float": linked({"root": [0.0, 0]}),
    "chain_unknown": linked({"root": ["s0", "zz"]}), "chain_other_root": linked({"root": None, "tortilla:root": ["s0", "s0"]}, {"root": None, "tortilla:root": ["s0", "s1"]}), "chain_of_file": linked({"root": ["s1", "s1"]}),
    "chain_no_children": linked({"root": pa.array([], pa.string()), "tortilla:id": pa.array([], pa.string()), "tortilla:file_format": None, "tortilla:offset": pa.array([], pa.int64()), "tortilla:length": pa.array([], pa.int64())}),
    **{"pointer_%d" % i: linked(o0=x) for i, x in enumerate(["OFFSETLENGTH(9, 0)", "OFFSETLENGTH(5, 99999999)", "OFFSETLENGTH(1,2", "OFFSETLENGTH(1)", "x", "OFFSETLENGTH(-1, 5)", " OFFSETLENGTH ( 300 , 5 ) ",
        "OFFSETLENGTH(300, 5) x", '"'])}, "pointer_itself": linked(last="OFFSETLENGTH(300, 900)"), "tiles": tiles(TOG), "tiles_cog": tiles(TOG, "COG"), "tiles_plain": tiles(PLAIN_TIFF), "tiles_no_tiff": tiles(TEN * 9),
    "tiles_bytes": tiles(TOG, "BYTES"), "tiles_names": tiles(TOG, ids=("s1::0", "s0:0")), "tiles_outside": tiles(TOG, lengths=(3, 1200)), "tiles_two": tiles(TOG, root=["s0", "s1"]), "tiles_no_format": tiles(
        TOG, first={"tortilla:file_format": None}), "tiles_format": tiles(TOG, **{"tortilla:file_format": ["BYTES", None]}), "chain_long": chain([TEN], [{"root": ["a" + "/a" * max(0, k - 1)], "tortilla:id": ["a"],
            "tortilla:offset": [HEADER], "tortilla:length": [1]} for k in range(18)]), **{"collection_" + k: tortilla([TEN], collection=v) for k, v in COLLECTIONS.items()},
}
A, B, C = tortilla([TEN, b"b"], ids=["b", "a"], parts=2), tortilla([b"x"], ids=["aa"], parts=2), tortilla([b"x"], ids=["c"], more={"x": [1], "stac:crs": ["EPSG:4326"]})
TIFFS = tortilla([TOG, TEN], ["GTiff", "BYTES"])
EMPTY = TORTILLA["no_rows"]
LEGACY = {
    "parts": members(a__0000__part__tortilla=A, a__0001__part__tortilla=B), "parts_one": members(a__0001__part__tortilla=A), "parts_names": members(a__1__part__tortilla=A, a__part__tortilla=B, a__0009__part__tortilla=B),
    "parts_taco": members(a__0001__part__taco=tortilla([TEN], parts=2, collection=COLLECTIONS["good"]), a__0002__part__taco=tortilla([b"y"], ids=["z"], parts=2, collection=COLLECTIONS["good"])),
    "parts_two_sets": members(a__0000__part__tortilla=A, b__0000__part__tortilla=C, b__0001__part__tortilla=B), "parts_of_one": members(a__0000__part__tortilla=C),
    "columns": members(a__tortilla=A, b__tortilla=C), "columns_more": members(a__tortilla=C, b__tortilla=A), "columns_types": members(a__tortilla=C, b__tortilla=tortilla([b"x"], more={"x": ["text"]})),
    "columns_same": members(a__tortilla=tortilla([TEN], more={"x": [1]}), b__tortilla=tortilla([b"x"], ids=["q"], more={"x": [1.5]})), "empty": members(a__tortilla=EMPTY, b__tortilla=EMPTY),
    "old": members(a__tortilla=old([TEN]), b__tortilla=old([b"x", b"y"])), "old_and_new": members(a__tortilla=old([TEN]), b__tortilla=A), "nested": members(a__tortilla=TORTILLA["nested"], b__tortilla=TORTILLA["uneven"]),
    "chains": members(a__tortilla=TORTILLA["chain"], b__tortilla=TORTILLA["tiles"]), "chain_names": members(a__taco=TORTILLA["chain_quoted"]),
    "tiffs": members(a__tortilla=TIFFS), "tiffs_plain": members(a__tortilla=tortilla([PLAIN_TIFF, TOG], ["COG", "GTiff"])), "placed": members(a__tortilla=TORTILLA["placed"], collection=COLLECTIONS["good"]),
    "taco": members(a__taco=TORTILLA["collection_good"], collection=COLLECTIONS["good"]), "taco_name": members(a__tortilla=TORTILLA["collection_good"]),
    **{"collection_" + k: members(a__tortilla=tortilla([TEN]), collection=COLLECTIONS[k]) for k in ("good", "texts", "boxes", "times", "list", "cut")},
    **{"edit_" + k: members(a__taco=TORTILLA["collection_good"], collection=COLLECTIONS[k]) for k in ("people", "nothing")},
}
if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for folder, seeds in (("tortilla", TORTILLA), ("legacy", LEGACY)):
        os.makedirs(folder, exist_ok=True)
        for name, data in seeds.items():
            with open("%s/%s" % (folder, name), "wb") as f:
                f.write(data)
