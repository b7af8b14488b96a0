#!/usr/bin/env python3
"""rasteret.py - makes fuzz/seeds/build again, and of rasteret, folder and validate what is named below. Needs pyarrow.

rasteret: tables of records with many faults at once, one for each rule of the contract's tiers; boxes and times of every form.
build: directories of records, with the TIFFs of their assets, for every way of building a collection, or a dataset of them.
folder: partitions; catalogues and merged collections that differ from their archives. validate: metadata that was replaced.

A target chooses one of n operations by a hash of its input (mutator_choice in fuzz/mutator.h): `chosen` adds a text that no
reader sees until it chooses the wanted one."""
import functools, json, math, struct, zlib
import pyarrow as pa
import faulty
from faulty import GOOD, central, dataset, end, ids, local, places, point, write

faulty.parquet = parquet = functools.partial(faulty.parquet, store_schema=False) # half as long

TEXT, F64, I64 = pa.string(), pa.float64(), pa.int64()


def choice(data, n):
    h = 2166136261
    for b in data:
        h = (h ^ b) * 16777619 & 0xFFFFFFFF
    return (h >> 16 ^ h) % n


def chosen(make, n, *wanted):
    """make(text) with the first text that lets the target choose one of those."""
    return next(x for x in (make("%d" % i) for i in range(2000)) if choice(x, n) in wanted)


def members(files, comment=""):
    out, directory = b"", b""
    for name, data in files.items():
        directory, out = directory + central(name, data, len(out)), out + local(name, data)
    return out + directory + end(len(files), len(directory), len(out), comment=comment.encode())


# fuzz_rasteret: 7 operations, those of a dataset in 16 ways
JUDGE, ASK, TILES, READY, BUILD, TO_TACO = 1, 2, 3, 4, 5, 6
BOX, BACKWARDS = 0, 12 # ways of ASK, each with four times: none, a range, a day, a range that ends before it begins


def table(columns, operation, ways=range(16), **more):
    return chosen(lambda text: parquet(columns, text=text, **more), 7 * 16, *[operation + 7 * w for w in ways])


def ring(w, s, e, n):
    return struct.pack("<BIII10d", 1, 3, 1, 5, w, s, e, s, e, n, w, n, w, s)


def when(*days, unit="us"):
    return pa.array(days, pa.timestamp(unit))


def assets(rows, bands=("B01", "B02"), asset=pa.struct([("href", TEXT), ("band_index", I64)])):
    """rows: an asset for each band, as (href, index), or None"""
    make = lambda a: None if a is None else {"href": a[0], "band_index": a[1]}
    return pa.array([r if r is None else {b: make(a) for b, a in zip(bands, r)} for r in rows], pa.struct([(b, asset) for b in bands]))


SIDES = pa.struct([(k, F64) for k in ("xmin", "ymin", "xmax", "ymax")])


def box(rows, type=SIDES):
    return pa.array([r if r is None else dict(zip(("xmin", "ymin", "xmax", "ymax"), r)) for r in rows], type)


def records(n, **other):
    """n good records; columns of `other` replace those, or come after them; None: without that column."""
    at = [(k, k, k + 1, k + 1) for k in range(n)]
    columns = {"id": ["r%d" % k for k in range(n)], "datetime": when(*[1580000000000000 + k * 10 ** 13 for k in range(n)]), "geometry": [ring(*b) for b in at],
               "assets": assets([(("a.tif", 0), ("a.tif", 0))] * n), "bbox": box(at)}
    columns.update({k.replace("__", ":"): v for k, v in other.items()})
    return [(k, v) for k, v in columns.items() if v is not None]


METADATA = pa.struct([(k, pa.int32()) for k in ("image_width", "image_height", "tile_width", "tile_height")] + [("dtype", TEXT), ("transform", pa.list_(F64)),
                     ("predictor", pa.int32()), ("compression", pa.int32()), ("tile_offsets", pa.list_(I64)), ("tile_byte_counts", pa.list_(I64)),
                     ("pixel_scale", pa.list_(F64)), ("tiepoint", pa.list_(F64)), ("nodata", F64), ("samples_per_pixel", pa.int32()), ("planar_configuration", pa.int32())])


def band(*rows):
    good = {"image_width": 16, "image_height": 16, "tile_width": 16, "tile_height": 16, "dtype": "uint8", "transform": [1, 0, -1, 9], "predictor": 1, "compression": 1,
            "tile_offsets": [300], "tile_byte_counts": [256], "samples_per_pixel": 1, "planar_configuration": 1}
    return pa.array([r if r is None else dict(good, **r) for r in rows], METADATA)


bad = [{}, {"image_width": 0}, {"tile_height": None}, {"tile_offsets": [1, 2]}, {"image_width": 99}, {"tile_offsets": [-1]}, {"tile_byte_counts": [None]}, {"tile_offsets": None},
       {"dtype": "u1"}, {"dtype": None}, {"transform": [1]}, {"transform": None}, {"predictor": 9}, {"planar_configuration": 0}, {"samples_per_pixel": 0}, None]
rows = records(
    16, id=["a", "a", "", None] + list("bcdefghijklm"), datetime=when(*[1580000000000000] * 12 + [None] * 4),
    start_datetime=when(*[5] * 13 + [None, 9, 2 ** 62]), end_datetime=["1970-01-01"] * 12 + ["x", None, "1970-01-01", "2020-13-01"],
    year=pa.array([2020] * 8 + [2019, None] + [2020] * 6, pa.int32()), month=pa.array([1] * 6 + [3, None] + [1] * 8, pa.int16()),
    geometry=[None, b"", b"\1\3", point(200, 95), point(math.nan, math.nan), b"\1\7" + bytes(7)] + [ring(0, 0, 1, 1)] * 10,
    assets=assets([None, (None, None), ((None, 0), ("", 1)), (("a", -1), ("a", None))] + [(("a", 0), None)] * 12), bbox=box([(0, 0, 1, 1)] * 6 + [None, (1, 1, 0, 0), (0, None, 1, 1),
                                                                                                         (math.nan, 0, 1, 1)] + [(0, 0, 1, 2)] * 6),
    scene_bbox=pa.array([[0, 0, 1, 1]] * 7 + [[1, 1, 0, 0], [0, 0], [], None, [0, 0, None, 1], [0, 0, 1, 2, 3], [0, 0, 1, 5], [math.inf] * 4, [0, 0, 1, 1]], pa.list_(F64)),
    bbox_minx=[0.0] * 15 + [None], bbox_miny=[0.0] * 14 + [3, 0], bbox_maxx=[1.0] * 16, bbox_maxy=[1.0] * 16, proj__epsg=[4326] * 16, B01_metadata=band(*bad), B02_metadata=band(*bad[::-1]))
EMPTY = pa.array([None] * 2)
FULL = pa.array([{"xmin": 0.0, "ymin": 0.0, "xmax": 1.0, "ymax": 1.0, "x": 1}] * 2)
types = [
    records(2, id=[1, 2], datetime=["2020", "x"], geometry=["a", "b"], assets=["a", "b"], bbox=FULL, scene_bbox=["x", "y"], bbox_minx=[1, 2], bbox_miny=pa.array([1, 2], pa.float32()),
            year=["2020", "2021"], month=[1.5, 2], proj__epsg=["a", "b"], start_datetime=[1, 2], end_datetime=when(1, 2), B01_metadata=[1, 2], B02_metadata=EMPTY),
    records(2, assets=pa.array([{"a": "x", "b": 5, "c": {"href": 5}, "d": {"href": "h", "band_index": "i"}, "e": {"band_index": 1}, "f": {"href": "h", "band_index": None}, "g": None}] * 2),
            B01_metadata=pa.array([{"width": 16, "height": 16, "tile_width": 16.5, "tile_height": "16", "dtype": 5, "transform": [1, 2, 3, 4], "predictor": True,
                                    "tile_offsets": ["x"], "tile_byte_counts": 5, "nodata": 5, "pixel_scale": [[1.0]], "tiepoint": [None]}] * 2),
            B02_metadata=pa.array([{"x": 1}] * 2), B03_metadata=pa.array([{"width": 16, "height": 16, "tile_width": 16, "tile_height": 16, "dtype": None, "nodata": "x"}] * 2)),
    records(2, datetime=EMPTY, geometry=EMPTY, assets=EMPTY, id=EMPTY),
]
listed = records(6, bbox=None, scene_bbox=pa.array([[0, 40, 1, 41], [0, 0, 1, 1], None, [0, 40, 1], [0, 40, None, 41], [0, 40, 1, 41]], pa.list_(F64)))
far = records(4, bbox=box([(100, -50, 101, -49)] * 4), scene_bbox=None)
codes = lambda *v: pa.array(v, pa.int32())
known = lambda *v: pa.array([x and {"image_width": 16} for x in v])
RASTERET = {
    "rows": table(rows, JUDGE),
    **{"types_%d" % i: table(t, JUDGE) for i, t in enumerate(types)}, "types_ask": table(types[0], ASK, range(4)),
    "list": table(listed, ASK, [0]), "backwards": table(listed, ASK, [BACKWARDS]),
    "far": table(far, ASK, range(4), write_statistics=True), "near": table(records(8, bbox=box([(k, 9 * k, k + 1, 9 * k + 1) for k in range(8)])), ASK, range(4), write_statistics=True, row_group_size=4),
    "null_boxes": table(records(4, bbox=box([None, (0, None, 1, 41), (0, 40, 1, 41), (math.nan, 40, 1, 41)])), ASK, [0]),
    "milli": table(records(3, datetime=when(1577836800999, 0, None, unit="ms")), ASK, [BOX + 1]), "nano": table(records(3, datetime=when(1577836800000000999, -2 ** 62, None, unit="ns")), ASK, [BOX + 2]),
    "ends_first": table(records(3), ASK, [BOX + 3]), "text": table(records(2, datetime=["2020", None]), ASK, [BOX + 1]), "nulls": table(records(2, datetime=pa.array([None] * 2)), ASK, [BOX + 1]),
    "ready": table(records(4, B01_metadata=known(1, 1, None, None), B02_metadata=known(1, None, 1, None), proj__epsg=codes(4326, 4326, None, 32630)), READY),
    "ready_none": table(records(2, datetime=when(None, None), start_datetime=when(None, 5), B01_metadata=known(1, None), B02_metadata=known(None, 1)), READY),
    "ready_timeless": table(records(2, datetime=when(None, None), B01_metadata=known(1, 1), B02_metadata=known(1, 1), proj__epsg=codes(4326, 4326)), READY),
    **{"tiles_%d" % w: table(records(8, B01_metadata=band(*bad[:8]), B02_metadata=band(*bad[8:]), proj__epsg=codes(*[4326, 32630] * 4)), TILES, [w, w + 8]) for w in (3, 7)},
    "nothing": table([(k, pa.array(v).slice(0, 0)) for k, v in records(1)], TO_TACO), "strange_types": table(types[0], TO_TACO), "strange_types_build": table(types[0], BUILD),
    "columns_missing": table([("id", ["a"]), ("datetime", when(1)), ("x", [1])], BUILD),
}


# fuzz_build: 7 ways
def tiff(code=4326, geographic=True, place=(0.0, 40.0), bits=8, fill=7, compression=1, tiled=True):
    keys = [1, 1, 0, 2, 1024, 0, 1, 2 if geographic else 1, 2048 if geographic else 3072, 0, 1, code]
    tags = [(256, 3, [16]), (257, 3, [16]), (258, 3, [bits]), (259, 3, [compression]), (262, 3, [1]), (277, 3, [1]), (284, 3, [1])]
    tags += [(322, 3, [16]), (323, 3, [16]), (324, 4, [0]), (325, 4, [256])] if tiled else [(273, 4, [0]), (278, 3, [16]), (279, 4, [256])]
    tags += [(33550, 12, [0.1, 0.1, 0.0]), (33922, 12, [0, 0, 0, place[0], place[1], 0]), (34735, 3, keys)]
    head, more = b"", b""
    behind = 8 + 2 + 12 * len(tags) + 4
    for tag, type, v in tags:
        data = struct.pack("<%d%s" % (len(v), {3: "H", 4: "I", 12: "d"}[type]), *v)
        if tag in (324, 273): data = struct.pack("<I", behind + sum(8 * len(x) for _, t, x in tags if t == 12) + 2 * len(keys))
        if len(data) > 4:
            head, more = head + struct.pack("<HHII", tag, type, len(v), behind + len(more)), more + data
        else:
            head += struct.pack("<HHI4s", tag, type, len(v), data)
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + head + bytes(4) + more + bytes([fill]) * 256


TIFFS = {"in.tif": tiff(), "utm.tif": tiff(32630, False, (500000, 4400000)), "odd.tif": tiff(2062, False), "strips.tif": tiff(tiled=False), "no.tif": b"no TIFF"}


def built(way, files):
    return chosen(lambda text: members(files, text), 7, way)


def raw(n, hrefs, **other):
    """a table that is no collection yet: its ids are integers or renamed, times are not timestamps, hrefs stand in a column"""
    return records(n, assets=None, bbox=None, href=[hrefs[k % len(hrefs)] for k in range(n)], **other)


one = (("in.tif", 0), ("in.tif", 0))
good = records(3, assets=assets([one, (("utm.tif", 0), None), (("/vsisubfile/0_%d,in.tif" % len(TIFFS["in.tif"]), 0), ("in.tif", 0))]), split=["train", "val", None], label=[1, 2, 3])
dates = {"days": pa.array([18000, 2 ** 31 - 1, None], pa.date32()), "iso": ["2020-01-01T10:00:00Z", "1999-12-31", None],
         "no_iso": ["2020-01-01", "then", None], "numbers": [1.5, 2, 3], "wide": when(2 ** 62, -2 ** 62, None, unit="ms"), "long": when(-1, 0, 1, unit="ns")}
texts = ["EPSG:4326", " epsg:32630 ", "PROJCS[]", None, "4326", "EPSG:", ""]
crs = records(7, crs=texts, proj__code=["x", None, "", "EPSG:0", None, "9" * 30, None], proj__epsg=codes(0, -1, None, 4326, None, None, None),
              geometry=[None, b"\1", ring(0, 0, 1, 1), b"\1\7" + bytes(7), point(1, 2), point(math.nan, 0), ring(5, 5, 6, 6)])
urls = ["s3://bucket/in.tif", "in.tif", None, "gs:///nowhere", "strips.tif"]
many = records(140, assets=assets([one] * 140), geometry=[ring(0, 0, 1, 1)] * 140, bbox=box([(0, 0, 1, 1)] * 140))
hive = {"records/y=2019/m=%41%zz%00/a.parquet": parquet(records(2)), "records/y=2020/m=__HIVE_DEFAULT_PARTITION__/b.parquet": parquet(records(3)),
        "records/y=2020/c.pq": parquet(records(1, extra=[5])), "records/y=x.parquet": parquet(records(1)), "records/=1/d.parquet": b"PAR1", "records/other/e.parquet": b"PAR1",
        "records/y=2021/y=7/f.parquet": parquet(records(1)), "records/.hidden/g.parquet": b"", "records/note.txt": b"x", "in.tif": TIFFS["in.tif"], "a.tif": TIFFS["in.tif"]}
BUILD_SEEDS = {
    **{"good_%d" % w: built(w, dict(TIFFS, **{"records.parquet": parquet(good)})) for w in (0, 4, 6)},
    "hive": built(1, hive), "lacking": built(0, {"records/y=1/a.parquet": parquet(records(2)), "records/y=2/b.parquet": parquet(records(1, extra=[5]))}), "hive_one": built(0, {"records/y=1/a.parquet": parquet(many, "zstd", use_dictionary=True), "in.tif": TIFFS["in.tif"]}),
    **{"dates_" + k: built(1, {"in.tif": TIFFS["in.tif"], "records.parquet": parquet(records(3, datetime=v, assets=assets([one] * 3)))}) for k, v in dates.items()},
    "crs": built(5, {"records.parquet": parquet(crs)}),
    "hrefs": built(3, dict(TIFFS, **{"records.parquet": parquet(raw(5, urls, name=list("abcde"), when=[2020] * 5, id=None, datetime=None))})),
    "hrefs_ids": built(3, dict(TIFFS, **{"records.parquet": parquet(raw(5, urls, id=[1, 2, None, 4, 5], name=[1, 2, None, 4, 5], when=when(1, 2, 3, 4, 5)))})),
    "hrefs_none": built(3, {"records.parquet": parquet(records(2, assets=None, name=["a", "b"], when=when(1, 2)))}), "no_names": built(3, {"records.parquet": parquet(records(2))}),
    "bands_twice": built(1, {"records.parquet": parquet(records(1, assets=pa.StructArray.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["B01", "B01"])))}),
    "columns_missing": built(0, {"records.parquet": parquet([("x", [1])])}),
    "beyond": built(1, {"records.parquet": parquet(records(
        1, assets=assets([(("/vsisubfile/9_99999,a.tif", 0), ("/vsisubfile/x_1,a.tif", 0))]))), "a.tif": TIFFS["in.tif"]}),
    **{"taco_" + k: built(6, dict(TIFFS, **{"records.parquet": parquet(records(2, **v))})) for k, v in {
        "vsi": {"taco__vsi": ["in.tif", None], "assets": assets([one] * 2)}, "missing": {}, "text": {"assets": pa.array([{"a": "in.tif"}] * 2), "datetime": when(None, 5)},
        "no_id": {"id": [None, "a/b"], "assets": assets([one] * 2)}, "twice": {"id": ["a", "a"], "assets": assets([one] * 2)}, "types": {"id": [1, 2]}}.items()},
}


def folder(levels, files, document=None):
    """a FOLDER of FILEs, or of FOLDERs of FILEs"""
    doc = dict(GOOD, **{"taco:field_schema": {"level%d" % k: [[c, "string", ""] for c, _ in l] for k, l in enumerate(levels)}})
    doc["taco:pit_schema"] = {"root": {"n": len(levels[0][0][1]), "type": levels[0][1][1][0]}, "hierarchy": {} if len(levels) == 1 else
                              {"1": [{"n": len(levels[1][0][1]), "type": ["FILE"] * 2, "id": ["a", "b"]}]}}
    return {"COLLECTION.json": json.dumps(dict(doc, **document or {})).encode(), **{"METADATA/level%d.parquet" % k: parquet(l) for k, l in enumerate(levels)}, **files}


order = lambda n: [("internal:current_id", list(range(n))), ("internal:parent_id", list(range(n)))]
tree = [[("id", ["s0", "s1"]), ("type", ["FOLDER"] * 2), ("stac:time_start", when(5, None))] + order(2),
        [("id", ["a", "b"] * 2), ("type", ["FILE"] * 4), ("internal:current_id", [0, 1, 2, 3]), ("internal:parent_id", [0, 0, 1, 1]),
         ("internal:relative_path", ["s0/a", "s0/b", "s1/a", "s1/b"])]]
meta = parquet([("id", ["a", "b"]), ("type", ["FILE"] * 2)])
BUILD_SEEDS.update({
    **{"tiffs_%d" % w: built(w, folder([ids(4) + [("datetime", when(1, 2, None, 4))] + order(4)], {"DATA/s%d" % k: TIFFS[v] for k, v in enumerate(("in.tif", "odd.tif", "no.tif", "utm.tif"))}))
       for w in (1, 4)},
    "tiffs_deep": built(0, folder(tree, {"DATA/s%d/%s" % (k, c): TIFFS["in.tif"] for k in (0, 1) for c in "ab"} | {"DATA/s%d/__meta__" % k: meta for k in (0, 1)})),
})


# fuzz_folder: 5 operations; what is judged, with every check or with few
def judged(files, operation=0):
    return chosen(lambda text: members(files, text), 5, operation)


def catalogue(columns, document=None, part=None, more=None, n=None, level1=None):
    doc = dict(GOOD, **{"taco:pit_schema": {"root": {"n": n or len(columns[0][1]), "type": "FILE"}, "hierarchy": {}}, "taco:field_schema": {"level0": []},
                        "taco:sources": {"count": 1, "ids": ["demo"], "files": ["p.tacozip"], "extents": []}})
    doc.update(document or {})
    return {".tacocat/COLLECTION.json": json.dumps(doc).encode(), ".tacocat/level0.parquet": parquet(columns), "p.tacozip": part or PART, **(more or {}),
            **({".tacocat/level1.parquet": parquet(level1)} if level1 else {})}


PART = dataset(ids(3) + [("v", [1, 2, 3])] + places(3))
DEEP = dataset([("id", ["f"]), ("type", ["FOLDER"]), ("internal:current_id", [0]), ("internal:parent_id", [0]), ("internal:offset", [189]), ("internal:size", [1])],
               children=[("DATA/f/a", b"1"), ("level1", parquet([("id", ["a"]), ("type", ["FILE"]), ("internal:current_id", [0]), ("internal:parent_id", [0]),
                                                              ("internal:relative_path", ["f/a"]), ("internal:offset", [195]), ("internal:size", [1])]))],
               pit={"root": {"n": 1, "type": "FOLDER"}, "hierarchy": {"1": [{"n": 1, "type": ["FILE"], "id": ["a"]}]}})
PLACES = dict(places(3))


def rows_of(take=(0, 1, 2), source="p.tacozip", **other):
    n = len(take)
    pick = lambda v: [v[k] for k in take]
    columns = {"id": ["s%d" % k for k in take], "type": ["FILE"] * n, "v": [k + 1 for k in take], "internal:current_id": list(range(n)), "internal:parent_id": list(range(n)),
               "internal:offset": pick(PLACES["internal:offset"]), "internal:size": pick(PLACES["internal:size"]), "internal:source_file": [source] * n if isinstance(source, str) else source}
    columns.update({k.replace("__", ":"): v for k, v in other.items()})
    return list(columns.items())


CATALOGUES = {
    "more": catalogue(rows_of((0, 1, 2, 2))), "order": catalogue(rows_of((2, 0))), "type": catalogue(rows_of(type=["FILE", "FOLDER", "FILE"])), "offset": catalogue(rows_of(internal__offset=[1, 2, 3])),
    "cells": catalogue(rows_of(v=[1, 9, None])), "missing": catalogue(rows_of(source="q.tacozip")), "names": catalogue(rows_of(source=["p.tacozip", "../p.tacozip", ""])),
    "no_archive": catalogue(rows_of(), part=parquet([("x", [1])])), "tacocat": catalogue(rows_of(source="c"), more={"c": b"TACOCAT" + bytes(200)}), "broken": catalogue(rows_of(), part=PART[:-9]),
    "levels": catalogue([("id", ["f"]), ("type", ["FOLDER"])] + [(k, v[:1]) for k, v in rows_of()[3:]], {"taco:pit_schema": {"root": {"n": 1, "type": "FOLDER"}, "hierarchy": {}}}, part=DEEP),
    "pit": catalogue(rows_of(), {"taco:pit_schema": {"root": {"n": 3, "type": "FOLDER"}, "hierarchy": {}}}), "sources_list": catalogue(rows_of(), {"taco:sources": [1]}),
    "sources": catalogue(rows_of(), {"taco:sources": {"count": 7, "files": ["p.tacozip", "z.tacozip", 5]}}),
}


def merged(sources, document=None, **more):
    doc = dict(GOOD, **{"taco:pit_schema": {"root": {"n": 3, "type": "FILE"}, "hierarchy": {}}, "taco:field_schema": {"level0": []}, "taco:sources": sources})
    return {"TACOLLECTION.json": json.dumps(dict(doc, **document or {})).encode(), "p.tacozip": PART, **more}


MERGED = {
    "faults": merged({"count": 9, "ids": ["other"], "files": ["p.tacozip", "../x", 5, "p.tacozip", "q.tacozip", ""], "extents": [
        {"file": "z"}, {"spatial": [1, 2]}, {"file": "p.tacozip", "spatial": [5, 95, -5, 0]}, {"file": "p.tacozip", "temporal": ["x", 1]}, 5]}),
    "tree": merged({"count": 1, "ids": [5, "a"], "files": ["p.tacozip"]}, {"taco:pit_schema": {"root": {"n": 3, "type": "FOLDER"}, "hierarchy": {}}}),
    "nothing": merged({}), "broken": merged({"count": 2, "ids": ["demo", "demo"], "files": ["p.tacozip", "r.tacozip"]}, **{"r.tacozip": PART[:300]}),
    "text": {"TACOLLECTION.json": b"{", "p.tacozip": PART},
}
PARTS = {k[8:]: v for k, v in hive.items() if k.startswith("records/y")}
FOLDER = {**{"catalogue_" + k: judged(v) for k, v in CATALOGUES.items()}, **{"merged_" + k: judged(v) for k, v in MERGED.items()}, "merged_tree_few": judged(MERGED["tree"], 4),
          "catalogue_few": judged(CATALOGUES["order"], 4), "hive_many": judged(PARTS, 0), "hive_many_ask": judged(PARTS, 2)}


# archives whose metadata was replaced: between the old and the new stands what the old one ended with
def replaced(between, last=b""):
    old = [("METADATA/level0.parquet", parquet(ids(2) + places(2))), ("COLLECTION.json", b"{}")]
    new = dataset(ids(2) + places(2))
    at, cut = new.index(b"PK\1\2"), new.index(local("METADATA/level0.parquet", b"")[:4], new.index(b"payload 1"))
    gap = b"".join(local(k, v) for k, v in old) + between
    size, directory = len(gap), bytearray(new[at:-22])
    data = bytearray(new[:cut] + gap + new[cut:at] + last)
    k = 0
    while k < len(directory): # entries after the gap, and their places in TACO_HEADER, move
        place, = struct.unpack_from("<I", directory, k + 42)
        struct.pack_into("<I", directory, k + 42, place + size * (place >= cut))
        k += 46 + sum(struct.unpack_from("<HHH", directory, k + 28))
    for i in range(data[41]):
        struct.pack_into("<Q", data, 45 + 16 * i, struct.unpack_from("<Q", data, 45 + 16 * i)[0] + size)
    crc = struct.pack("<I", zlib.crc32(bytes(data[41:157])))
    data[14:18] = directory[16:20] = crc
    return bytes(data + directory) + end(struct.unpack_from("<H", new, len(new) - 12)[0], len(directory), len(data))


entry = central("COLLECTION.json", b"{}", 9)
end64, locator = struct.pack("<4sQ44x", b"PK\6\6", 44), struct.pack("<4s16x", b"PK\6\7")
VALIDATE = {"replaced_" + k: replaced(*v) for k, v in {
    "zip64": (entry + end64 + locator + end(1, len(entry), 0, comment=b"why"),), "cut_end": (entry + end(1, 0, 0)[:21],), "payload": (local("DATA/x", b"1"),),
    "meta": (local("DATA/x/__meta__", b"1") * 2, entry + end64 + locator + end(0, 0, 0)), "long": (local("COLLECTION.json", b"1", csize=10 ** 6),), "last": (b"", b"junk")}.items()}

write(rasteret=RASTERET, build=BUILD_SEEDS, folder=FOLDER, validate=VALIDATE)
