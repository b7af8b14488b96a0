"""Tests of the wheel, with the datasets of examples/data: python -m unittest, in an environment that has it. What needs
pyarrow, polars, pandas, numpy or DuckDB is skipped where these are not installed, and says so."""
import datetime
import decimal
import gc
import importlib.util
import logging
import os
import re
import subprocess
import pickle
import sys
import tempfile
import threading
import unittest
import warnings

import taco_h
from taco_h import _native

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
DATA = os.path.join(TOP, "examples", "data")
COLLECTION = {
    "id": "made",
    "dataset_version": "1.0.0",
    "description": "of a test",
    "licenses": ["MIT"],
    "providers": [{"name": "nobody", "roles": ["producer"]}],
    "tasks": ["classification"],
}


def data(name):
    return os.path.abspath(os.path.join(DATA, name))


def needs(*packages):
    missing = [p for p in packages if importlib.util.find_spec(p) is None]
    return unittest.skipIf(missing, "%s is not installed" % ", ".join(missing))


class Open(unittest.TestCase):
    def test_what_it_is(self):
        with taco_h.open(data("nested.tacozip")) as ds:
            self.assertEqual((ds.id, ds.version, ds.format, ds.levels, len(ds)), ("nested", "1.0.0", "zip", 2, 4))
            self.assertEqual(ds.pit_schema.root, {"n": 4, "type": "FOLDER"})
            self.assertEqual(ds.pit_schema.max_depth(), 1)
            self.assertEqual(ds.collection["taco:pit_schema"]["root"]["n"], 4)
            self.assertEqual(ds.columns(1)[:3], ["id", "type", "kind"])
            self.assertEqual(ds.info()["id"], "nested")
            self.assertIn("Level 0: 4 rows", repr(ds))

    def test_for_notebooks(self):
        with taco_h.open(data("nested.tacozip")) as ds:
            page = ds._repr_html_()
            self.assertIn("<b>TacoDataset nested</b>", page)
            self.assertIn("Level 0, 4 rows, ", page)
            self.assertIn("Level 1, ", page)
            self.assertIn(">stac:crs</th>", page)
            self.assertNotIn("<Taco", page)

    def test_same_children(self):
        with taco_h.open(data("nested.tacozip")) as ds:
            self.assertTrue(ds.is_rsut() and ds.verify_rsut())
            self.assertTrue(ds.filter(where="kind = 'image'", level=1).is_rsut())
            some = "kind = 'image' OR \"internal:parent_id\" = 0"
            self.assertFalse(ds.filter(where=some, level=1).is_rsut())
        with taco_h.open([data("nested.tacozip"), data("nested_folder")]) as ds:
            self.assertTrue(ds.is_rsut())
        with taco_h.open(data("geo_stac.tacozip")) as ds:
            self.assertTrue(ds.is_rsut())

    def test_verbose(self):
        with taco_h.open(data("nested.tacozip")) as quiet:
            with self.assertLogs("taco_h", "DEBUG") as kept:
                taco_h.verbose("debug")
                with taco_h.open(data("nested.tacozip")) as ds:
                    self.assertEqual(len(list(ds)), 4)
                    before = len(kept.output)
                    list(quiet)
                    self.assertEqual(len(kept.output), before)
                taco_h.verbose()
                with taco_h.open(data("nested.tacozip")) as ds:
                    list(ds)
                taco_h.verbose(False)
                taco_h.open(data("nested.tacozip")).close()
        opened = [line for line in kept.output if line.startswith("INFO:taco_h:opened ")]
        self.assertEqual(len(opened), 2)
        self.assertTrue(any(line.startswith("DEBUG:taco_h:") for line in kept.output[:before]))
        self.assertEqual(kept.output[-1], opened[1])
        with self.assertRaises(ValueError):
            taco_h.verbose("loud")

    def test_log_replaced_during_a_call(self):
        self.addCleanup(taco_h.verbose, False)
        taco_h.verbose(False)
        told = []

        class Log:
            def __call__(self, level, line):
                taco_h.verbose(False)
                gc.collect()
                told.append(self)

        _native.set_log(Log(), 2)
        taco_h.open(data("nested.tacozip"))
        self.assertGreater(len(told), 1)

    def test_kinds(self):
        for name, kind in ("nested_folder", "folder"), ("tacocat_binary/__TACOCAT__", "tacocat"), ("types.tacozip", "zip"):
            self.assertEqual(taco_h.load(data(name)).format, kind)

    def test_several(self):
        both = taco_h.load([data("concat/a.tacozip"), data("concat/b.tacozip")])
        one = taco_h.load(data("concat/a.tacozip"))
        other = taco_h.load(data("concat/b.tacozip"))
        self.assertEqual(len(both), len(one) + len(other))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            joined = taco_h.concat([one, other])
            columns = joined.rows().columns
            joined.data if importlib.util.find_spec("pyarrow") else list(joined)
        self.assertIn("internal:source_file", columns)
        self.assertTrue(all(issubclass(w.category, taco_h.TacoWarning) for w in told))
        filled = taco_h.concat([one, other], column_mode="fill_missing")
        self.assertGreater(len(filled.rows().columns), len(columns))
        with self.assertRaises(taco_h.TacoQueryError):
            taco_h.concat([one.filter(where="id = 'x'"), other])

    def test_closed(self):
        ds = taco_h.open(data("types.tacozip"))
        rows = iter(ds)
        next(rows)
        ds.close()
        ds.close()
        for call in (lambda: next(rows), lambda: ds.vsi("t0"), lambda: ds.payload("t0"), lambda: ds.info(), lambda: ds.columns()):
            with self.assertRaises(ValueError):
                call()

    def test_closed_during_a_call(self):
        """By the handler of a line logged in the call, and by other threads: the call keeps the dataset."""
        calls = (
            lambda d: _native.payload(d, "tile_02/note", 0, -1),
            lambda d: _native.locate(d, "tile_02/note"),
            _native.info_json,
            _native.describe,
            lambda d: _native.level_fields(d, 1),
            _native.take_warnings,
            _native.collection,
            _native.view,
            lambda d: _native.loader(d, None, None, 1, 0, 0, 0, 1, 2, 1),
        )
        paths = (data("nested.tacozip"),)
        logger = logging.getLogger("taco_h")
        handler = logging.Handler()
        self.addCleanup(logger.removeHandler, handler)
        self.addCleanup(setattr, logger, "propagate", logger.propagate)
        self.addCleanup(logger.setLevel, logger.level)
        self.addCleanup(taco_h.verbose, False)
        logger.addHandler(handler)
        logger.propagate = False
        taco_h.verbose("debug")
        for call in calls:
            handler.emit = lambda record: None
            dataset = _native.open(paths, 0, None)
            handler.emit = lambda record: _native.close(dataset)
            call(dataset)
        taco_h.verbose(False)
        for call in calls * 10:
            dataset = _native.open(paths, 0, None)

            def work():
                try:
                    while True:
                        call(dataset)
                except ValueError:
                    pass

            threads = [threading.Thread(target=work) for _ in range(3)]
            for t in threads:
                t.start()
            _native.close(dataset)
            for t in threads:
                t.join()


class Rows(unittest.TestCase):
    def test_values(self):
        row = next(iter(taco_h.open(data("types.tacozip"))))
        self.assertEqual(row["t_int64"], -(2**63))
        self.assertEqual(row["t_date"], datetime.date(1970, 1, 1))
        self.assertEqual(row["t_ts_us"], datetime.datetime(1969, 12, 31, 23, 59, 59, 999999))
        self.assertEqual(row["t_ts_us_utc"].tzinfo, datetime.timezone.utc)
        self.assertEqual(row["t_dec38"], decimal.Decimal("1.2345"))
        self.assertEqual(row["t_list_list_f32"], [[1.0, 2.0], [3.0]])
        self.assertEqual(row["t_struct"], {"a": 1, "b": "x"})
        self.assertEqual(row["t_fsb"], b"abcd")
        self.assertIsNone(row["t_allnull"])
        self.assertEqual(next(iter(taco_h.open(data("types_exotic.tacozip"))))["t_map"], [("a", 1)])

    @needs("pyarrow")
    def test_values_are_those_of_arrow(self):
        """The two ways out of the library agree on every cell of every dataset."""
        import pyarrow as pa

        for name in sorted(os.listdir(DATA)):
            if not name.endswith(".tacozip"):
                continue
            ds = taco_h.open(data(name))
            for level in range(ds.levels):
                rows = ds.rows(level=level)
                table = rows.to_arrow()
                for i, field in enumerate(table.schema):
                    if pa.types.is_timestamp(field.type) and field.type.unit == "ns" or pa.types.is_dictionary(field.type):
                        continue  # pyarrow wants pandas for nanoseconds
                    if field.type == pa.time64("ns") or "ns" in str(field.type):
                        continue
                    ours = [r[field.name] for r in rows]
                    theirs = table.column(i).to_pylist()
                    zone = r"tzinfo=(zoneinfo\.ZoneInfo\(key='UTC'\)|datetime\.timezone\.utc|<UTC>)"
                    self.assertEqual(re.sub(zone, "UTC", repr(ours)), re.sub(zone, "UTC", repr(theirs)))

    def test_filters(self):
        ds = taco_h.open(data("geo_nested.tacozip"))
        ids = [r["id"] for r in ds]
        self.assertEqual([r["id"] for r in ds.filter(where="id <> 'site1'")], [i for i in ids if i != "site1"])
        self.assertEqual(len(ds.filter(time="2021-01-01")), 1)
        self.assertEqual(len(ds.filter_datetime((datetime.datetime(2020, 1, 1), datetime.datetime(2021, 6, 1)))), 2)
        self.assertEqual(len(ds.filter(bbox=(15, -90, 180, 90))), 2)
        deep = ds.filter(where="id = 'date1'", level=1)
        self.assertEqual(len(deep), 4)
        self.assertEqual({r["id"] for r in deep.rows(level=1)}, {"date1"})
        self.assertEqual(len(ds), 4)  # a filter leaves the dataset as it was
        both = ds.filter(where="id = 'date1'", level=1).filter(where="id = 'site2'")
        self.assertEqual([r["id"] for r in both.rows(level=1)], ["date1"])

    def test_sql(self):
        ds = taco_h.open(data("nested.tacozip"))
        self.assertEqual(ds.rows("SELECT count(*) AS n FROM level1").to_list(), [{"n": 12}])
        self.assertEqual(ds.filter(where="id = 'tile_01'").rows("SELECT id FROM data").to_list(), [{"id": "tile_01"}])
        self.assertEqual(ds.rows(select=["id"]).to_list()[0], {"id": "tile_00"})
        self.assertEqual(ds.rows(select="id").to_list()[0], {"id": "tile_00"})
        self.assertEqual(list(ds.rows(select='id, "stac:crs"').to_list()[0]), ["id", "stac:crs"])

    def test_nothing_is_kept_alive_too_short(self):
        for _ in range(20):
            rows = iter(taco_h.open(data("types.tacozip")).filter(where="id <> 't1'").rows())
            gc.collect()
            self.assertEqual(sum(1 for _ in rows), 5)

    def test_threads(self):
        ds = taco_h.open(data("nested.tacozip"))
        wrong = []

        def work():
            for _ in range(50):
                ok = [r["id"] for r in ds.rows(level=1)] == ["image", "label", "note"] * 4
                if not ok or ds.payload("tile_02/note") != b"note 2" or len(ds.filter(where="id > 'tile_01'")) != 2:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_one_iterator_is_one_thread_s(self):
        rows = iter(taco_h.open(data("types.tacozip")))
        self.assertEqual(next(rows)["id"], "t0")
        self.assertEqual(len(list(rows)), 5)


class Tables(unittest.TestCase):
    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow as pa

        ds = taco_h.open(data("nested.tacozip"))
        self.assertEqual(ds.data.shape, (4, 10))
        self.assertEqual(ds.data_raw.shape, (4, 14))
        self.assertIsInstance(ds.sql("SELECT id FROM data"), pa.Table)
        self.assertEqual(ds.data["id"].to_pylist()[3], "tile_03")
        self.assertEqual(ds.data.head(2).num_rows, 2)
        flat = ds.flatten()
        self.assertEqual((flat.num_rows, flat.column_names[0], flat.column_names[-1]), (12, "l1:id", "gdal_vsi"))
        self.assertEqual(ds.sort("l1:id", descending=True).limit(1).flatten()["l1:id"].to_pylist(), ["note"])
        self.assertEqual(ds.limit(0).flatten().num_rows, 0)
        named = ds.sql('SELECT "l1:internal:gdal_vsi" FROM l1')
        self.assertEqual(named.column_names, ["l1:internal:gdal_vsi"])

    @needs("pyarrow")
    def test_a_stream_outlives_its_dataset(self):
        import pyarrow as pa

        stream = taco_h.open(data("nested.tacozip")).rows(level=1)
        if hasattr(pa.RecordBatchReader, "from_stream"):
            reader = pa.RecordBatchReader.from_stream(stream)
            del stream
            gc.collect()
            table = reader.read_all()
            del reader
            gc.collect()
            self.assertEqual(table.num_rows, 12)
            self.assertEqual(table["id"].to_pylist()[:2], ["image", "label"])
        capsule = taco_h.open(data("nested.tacozip")).__arrow_c_stream__()
        del capsule  # one that nobody takes is released

    @needs("polars")
    def test_polars(self):
        import polars

        ds = taco_h.load(data("nested.tacozip"), backend="polars")
        self.assertIsInstance(ds.sql("SELECT id FROM data"), polars.DataFrame)
        self.assertEqual(polars.DataFrame(ds).shape, (4, 14))
        late = ds.data.filter(polars.col("id") == "tile_02")
        self.assertIsInstance(late, taco_h.TacoDataFrame)
        self.assertEqual(late.read(0).read("note"), ds.vsi("tile_02/note"))

    @needs("pandas", "pyarrow")
    def test_pandas(self):
        import pandas

        ds = taco_h.load(data("nested.tacozip"), backend="pandas")
        self.assertIsInstance(ds.sql("SELECT id FROM data"), pandas.DataFrame)
        self.assertEqual(ds.data.read("tile_02").read(2), ds.vsi("tile_02/note"))

    @needs("duckdb", "pyarrow")
    def test_duckdb(self):
        import duckdb

        ds = taco_h.open(data("nested.tacozip")).rows(level=1)
        self.assertEqual(duckdb.sql("SELECT count(*) FROM ds").fetchall(), [(12,)])

    def test_backends(self):
        self.addCleanup(taco_h.use, taco_h.get_backend())
        taco_h.use("pandas")
        self.assertEqual(taco_h.get_backend(), "pandas")
        with self.assertRaises(taco_h.TacoBackendError):
            taco_h.use("excel")
        with self.assertRaises(taco_h.TacoBackendError):
            taco_h.load(data("types.tacozip"), backend="excel")


class Samples(unittest.TestCase):
    def test_navigation_columns(self):
        with taco_h.open(data("multi")) as ds:
            self.assertLessEqual(set(ds.navigation_columns()), set(ds.rows().columns))
            self.assertEqual(list(ds.navigation_columns(describe=True)), ds.navigation_columns())
            self.assertIn("internal:source_file", ds.navigation_columns())

    def test_paths(self):
        ds = taco_h.open(data("nested.tacozip"))
        path = ds.vsi("tile_00/image")
        self.assertRegex(path, r"^/vsisubfile/205_552,/.*nested\.tacozip$")
        self.assertEqual(ds.vsi("@0/@0"), path)
        self.assertEqual(ds.filter(where="id = 'tile_01'").paths(), [ds.vsi("tile_01")])
        self.assertEqual(taco_h.open(data("geo_stac.tacozip")).read(0), taco_h.open(data("geo_stac.tacozip")).paths()[0])

    def test_payload(self):
        ds = taco_h.open(data("nested.tacozip"))
        self.assertEqual(ds.payload("tile_03/note"), b"note 3")
        self.assertEqual(ds.payload("tile_03/note", 5), b"3")
        self.assertEqual(ds.payload("tile_03/note", 1, 3), b"ote")
        self.assertEqual(ds.payload("tile_03/note", 100), b"")
        start, size = ds.vsi("tile_00/image")[len("/vsisubfile/"):].split(",")[0].split("_")
        with open(data("nested.tacozip"), "rb") as f:
            f.seek(int(start))
            self.assertEqual(f.read(int(size)), ds.payload("tile_00/image"))

    @needs("pyarrow")
    def test_read(self):
        ds = taco_h.open(data("geo_nested.tacozip"))
        self.assertEqual(ds.read("site2").read(1).read("img0"), ds.vsi("site2/date1/img0"))
        self.assertEqual(ds.data.read(2).read("date1").read(0), ds.vsi("site2/date1/img0"))
        some = ds.filter(where="id <> 'date0'", level=1)
        self.assertEqual(some.read(1)["id"].to_pylist(), ["date1", "date2"])
        self.assertEqual(some.read(1).read("date2").read(0), ds.vsi("site1/date2/img0"))
        two = ds.filter(where="id <> 'site0'")
        self.assertEqual(two.read(0).read(0).read(0), ds.vsi("site1/date0/img0"))
        for key in 99, -1, "nowhere":
            with self.assertRaises(taco_h.TacoNavigationError):
                ds.read(key)
            with self.assertRaises(taco_h.TacoNavigationError):
                ds.data.read(key)

    @needs("numpy")
    def test_stats(self):
        ds = taco_h.open(data("geo_stac.tacozip"))
        self.assertAlmostEqual(float(ds.stats_mean(0)), 9.666667, 5)
        self.assertEqual([round(float(x), 4) for x in ds.stats_p50([0, 1])], [5.0, 1.5])
        self.assertEqual(ds.stats_mean(0).dtype.name, "float32")
        with self.assertRaises(taco_h.TacoQueryError):
            ds.stats_mean(7)


class Failures(unittest.TestCase):
    def check(self, kind, code, offset, text, call):
        with self.assertRaises(kind) as caught:
            call()
        e = caught.exception
        self.assertIsInstance(e, taco_h.TacoError)
        self.assertEqual((e.code, e.offset), (code, offset))
        self.assertIn(text, str(e))

    def test_codes(self):
        ds = taco_h.open(data("nested.tacozip"))
        self.check(taco_h.TacoIOError, "not found", None, "no archive", lambda: taco_h.open("/no/such.tacozip"))
        self.check(taco_h.TacoQueryError, "syntax", 3, "at column 4", lambda: list(ds.filter(where="x <")))
        self.check(taco_h.TacoQueryError, "not found", 7, "no column 'nope'", lambda: list(ds.rows("SELECT nope FROM data")))
        self.check(taco_h.TacoNavigationError, "not found", None, "no sample", lambda: ds.vsi("nowhere"))
        self.check(taco_h.TacoQueryError, "argument", None, "", lambda: ds.payload("tile_00"))
        with tempfile.TemporaryDirectory() as d:
            bad = os.path.join(d, "bad.tacozip")
            with open(data("nested.tacozip"), "rb") as f, open(bad, "wb") as out:
                out.write(f.read()[:3000])
            with self.assertRaises(taco_h.TacoFormatError) as caught:
                list(taco_h.open(bad))
            self.assertIn("bad.tacozip", str(caught.exception))

    def test_arguments(self):
        ds = taco_h.open(data("nested.tacozip"))
        for call in (lambda: ds.filter(bbox=(1, 2, 3)), lambda: taco_h.load([]), lambda: taco_h.load(data("types.tacozip"), column_mode="x")):
            with self.assertRaises(taco_h.TacoQueryError):
                call()
        with self.assertRaises(TypeError):
            taco_h.open(7)


class Write(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def test_create(self):
        columns = {0: {"split": str, "when": datetime.datetime, "v": [float]}, 1: {"n": int, "ok": bool, "day": datetime.date}}
        with open(self.path("a.txt"), "wb") as f:
            f.write(b"from a file")
        for name, container in ("out.tacozip", None), ("out", None), ("out.dat", "zip"):
            with taco_h.create(self.path(name), COLLECTION, columns, container=container) as out:
                for i in range(3):
                    with out.folder("t%d" % i, {"split": "train", "when": datetime.datetime(2020, 1, 1 + i), "v": [1, i]}):
                        out.bytes("a.txt", b"hello", {"n": i, "ok": i > 0, "day": datetime.date(2020, 2, 29)})
                        out.file("b.txt", self.path("a.txt"), {"n": None, "ok": None, "day": None})
            self.assertTrue(taco_h.validate(self.path(name), deep=True), name)
            ds = taco_h.open(self.path(name))
            row = ds.rows().to_list()[2]
            self.assertEqual((row["split"], row["when"], row["v"]), ("train", datetime.datetime(2020, 1, 3), [1.0, 2.0]))
            self.assertEqual(ds.payload("t1/b.txt"), b"from a file")
            child = ds.rows(level=1).to_list()[2]
            self.assertEqual((child["n"], child["ok"], child["day"]), (1, True, datetime.date(2020, 2, 29)))
        with self.assertRaises(taco_h.TacoError):
            taco_h.create(self.path("out.tacozip"), COLLECTION)
        with taco_h.create(self.path("out.tacozip"), COLLECTION, overwrite=True) as out:
            out.bytes("x", b"")
        self.assertEqual(len(taco_h.open(self.path("out.tacozip"))), 1)

    def test_text_with_nul(self):
        path = self.path("nul.tacozip")
        with taco_h.create(path, COLLECTION, {0: {"note": str, "when": datetime.datetime}}) as out:
            out.bytes("a", b"x", {"note": "a\0b", "when": "2020-01-01"})
            out.bytes("b", b"x", {"note": "\0", "when": None})
            out.bytes("c", b"x", {"note": "\u00e9", "when": None})
        self.assertEqual([r["note"] for r in taco_h.open(path)], ["a\0b", "\0", "\u00e9"])
        with self.assertRaises(taco_h.TacoQueryError):
            with taco_h.create(self.path("b.tacozip"), COLLECTION, {0: {"when": datetime.datetime}}) as out:
                out.bytes("a", b"x", {"when": "2020-01-01\0"})

    def test_declared_columns(self):
        """Columns without a value are null; what COLLECTION.json says of a column is kept."""
        told = {"taco:field_schema": {"level0": [["cloud", "double", "share of clouds"]]}}
        path = self.path("declared.tacozip")
        columns = {0: {"cloud": float, "when": datetime.datetime}}
        with taco_h.create(path, dict(COLLECTION, **told), columns, fill=True) as out:
            out.bytes("a", b"x")
        with taco_h.open(path) as ds:
            row = next(iter(ds))
            self.assertEqual((row["cloud"], row["when"]), (None, None))
            self.assertIn(["cloud", "double", "share of clouds"], ds.field_schema["level0"])
            self.assertIn("double share of clouds", ds._repr_html_())

    def test_failures_leave_nothing(self):
        with self.assertRaises(RuntimeError):
            with taco_h.create(self.path("a.tacozip"), COLLECTION) as out:
                out.bytes("x", b"")
                raise RuntimeError("of the caller")
        with self.assertRaises(taco_h.TacoQueryError) as caught:
            with taco_h.create(self.path("a.tacozip"), COLLECTION, {0: {"n": int}}) as out:
                out.bytes("x", b"", {"n": "text"})
        self.assertIn("'n'", str(caught.exception))
        with self.assertRaises(TypeError):
            with taco_h.create(self.path("a.tacozip"), COLLECTION, {0: {"n": int}}) as out:
                out.bytes("x", b"", {"n": object()})
        with self.assertRaises(taco_h.TacoError):
            taco_h.create(self.path("a.tacozip"), {"id": "x"})
        forgotten = taco_h.create(self.path("a.tacozip"), COLLECTION)
        forgotten.bytes("x", b"")
        del forgotten
        gc.collect()
        self.assertEqual(os.listdir(self.dir.name), [])

    def test_one_failure_in_many_threads(self):
        """The first one ends the writer, and the others find it ended."""
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        for i in range(100):
            out = taco_h.create(self.path("%d.tacozip" % i), COLLECTION, {0: {"n": int}})
            out.bytes("x", b"")
            barrier = threading.Barrier(4)
            caught = []

            def work():
                barrier.wait()
                try:
                    _native.writer_set(out._handle, "n", "text")
                except Exception as e:
                    caught.append(type(e))

            threads = [threading.Thread(target=work) for _ in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(caught.count(taco_h.TacoQueryError), 1)
            self.assertEqual(caught.count(ValueError), 3)
        self.assertEqual(os.listdir(self.dir.name), [])

    def test_a_list_changed_while_it_is_read(self):
        class Shrinks:
            def __float__(self):
                del values[:]
                return 1.0

        values = [Shrinks() for _ in range(9)]
        out = taco_h.create(self.path("a.tacozip"), COLLECTION, {0: {"v": [float]}})
        out.bytes("x", b"")
        _native.writer_set(out._handle, "v", values)
        out.finish()
        self.assertEqual(taco_h.open(self.path("a.tacozip")).rows().to_list()[0]["v"], [1.0] * 9)

    def test_directory(self):
        os.makedirs(self.path("source/t1"))
        for name in "a", "b":
            with open(self.path("source/t1/" + name), "w") as f:
                f.write(name)
        with open(self.path("about.csv"), "w") as f:
            f.write("id,split\nt1,train\n")
        taco_h.create_directory(self.path("d.tacozip"), self.path("source"), COLLECTION, self.path("about.csv"))
        ds = taco_h.open(self.path("d.tacozip"))
        self.assertEqual([r["split"] for r in ds], ["train"])
        self.assertEqual(ds.payload("t1/b"), b"b")

    def test_validate(self):
        good = taco_h.validate(data("nested.tacozip"), deep=True)
        self.assertTrue(good)
        self.assertEqual((good.errors, good.rows, good.failure), (0, 16, None))
        # an extent of centroids and of one time, as the reference writes it
        self.assertEqual([(p.error, p.where) for p in good.problems], [(False, "COLLECTION.json: extent")] * 2)
        with open(data("nested.tacozip"), "rb") as f:
            content = bytearray(f.read())
        content[300] ^= 1  # of a payload
        with open(self.path("bad.tacozip"), "wb") as f:
            f.write(content)
        self.assertTrue(taco_h.validate(self.path("bad.tacozip")))
        bad = taco_h.validate(self.path("bad.tacozip"), deep=True)
        self.assertFalse(bad)
        self.assertTrue(any(p.error and p.where for p in bad.problems) and bad.failure)
        with self.assertRaises(taco_h.TacoIOError):
            taco_h.validate(self.path("none.tacozip"))

    @unittest.skipUnless(sys.platform == "linux", "names of files are bytes on Linux only")
    def test_names_that_are_no_utf8(self):
        path = os.fsencode(self.path("")) + b"\xff.tacozip"
        with open(data("nested.tacozip"), "rb") as f:
            content = f.read()
        with open(path, "wb") as f:
            f.write(content)
        ds = taco_h.open(os.fsdecode(path))
        with open(ds.vsi("tile_02/note").split(",", 1)[1], "rb") as f:
            self.assertEqual(f.read(), content)
        with open(path, "wb") as f:
            f.write(content[:1000])
        self.assertFalse(taco_h.validate(os.fsdecode(path)))

    def test_sizes_out_of_range(self):
        for pad_to in (-1, 2**32):
            with self.assertRaises(ValueError):
                taco_h.create(self.path("p.tacozip"), COLLECTION, pad_to=pad_to)


class Batches(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.path = os.path.join(self.dir.name, "b.tacozip")
        with taco_h.create(self.path, COLLECTION, {0: {"n": int}}) as out:
            for i in range(100):
                out.bytes("s%03d" % i, b"%d" % i, {"n": i % 2})

    def test_order(self):
        batches = taco_h.open(self.path).batches(batch_size=7, seed=4)
        self.assertEqual(len(batches), 15)
        flat = [p for b in batches for p in b]
        self.assertEqual(sorted(flat, key=int), [b"%d" % i for i in range(100)])
        self.assertNotEqual(flat, sorted(flat, key=int))
        rows, payloads = batches.rows_and_payloads(3)
        self.assertEqual([b"%d" % r for r in rows], payloads)
        # any batch, at any time, and from a counter on
        self.assertEqual(batches[14], flat[98:])
        self.assertEqual(batches[0], flat[:7])
        self.assertEqual([p for b in batches.start(5) for p in b], flat[35:])
        with self.assertRaises(IndexError):
            batches[15]
        # ranks take turns
        ds = taco_h.open(self.path)
        turns = [[p for b in ds.batches(batch_size=9, seed=4, rank=r, ranks=3) for p in b] for r in range(3)]
        self.assertEqual([turns[i % 3][i // 3] for i in range(100)], flat)

    def test_decode(self):
        ds = taco_h.open(self.path)
        self.assertEqual(list(ds.batches(batch_size=50, shuffle=False, where="n = 1", decode=lambda b: sum(map(int, b)))), [2500])
        with self.assertRaises(taco_h.TacoQueryError):
            ds.filter(where="n = 1").batches()
        with self.assertRaises(ValueError):
            ds.batches(batch_size=0)
        with self.assertRaises(taco_h.TacoQueryError):
            ds.batches(rank=2, ranks=2)
        with self.assertRaises(taco_h.TacoQueryError):
            ds.batches(where="none = 1")

    def test_threads(self):
        """Batches of one loader, read by several threads."""
        batches = taco_h.open(data("nested.tacozip")).batches(batch_size=1, level=1)
        want = [batches.rows_and_payloads(k) for k in range(len(batches))]
        wrong = []

        def work(first):
            for i in range(300):
                k = (first + i * 5) % len(want)
                if batches.rows_and_payloads(k) != want[k]:
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_batch_in_a_finalizer(self):
        """The thread that has a batch is refused another one: it would wait for itself."""
        batches = taco_h.open(data("nested.tacozip")).batches(batch_size=1, level=1)
        refused = []

        class Reads:
            def __init__(self):
                self.me = self

            def __del__(self):
                try:
                    batches.rows_and_payloads(0)
                except RuntimeError as e:
                    refused.append(str(e))

        self.addCleanup(gc.set_threshold, *gc.get_threshold())
        for n in range(1, 60):  # so many containers later, which may be those of a batch
            gc.collect()
            gc.set_threshold(0)
            Reads()
            gc.set_threshold(n)
            batches.rows_and_payloads(1)
        if sys.version_info < (3, 12):  # garbage is collected between instructions since then
            self.assertEqual(set(refused), {"a batch is read while this thread reads another one"})

    def test_processes(self):
        """As the workers of a DataLoader use it: pickled, and after a fork."""
        batches = taco_h.open(self.path).batches(batch_size=7, seed=4)
        want = list(batches)
        with open(os.path.join(self.dir.name, "b.pickle"), "wb") as f:
            pickle.dump(batches, f)
        code = "import pickle, sys; sys.stdout.write(repr(list(pickle.load(open(sys.argv[1], 'rb')))))"
        out = subprocess.check_output([sys.executable, "-c", code, f.name])
        self.assertEqual(eval(out.decode()), want)

    @needs("torch")
    def test_torch(self):
        import torch

        ds = taco_h.open(self.path)
        batches = ds.batches(batch_size=7, seed=4, decode=lambda b: torch.tensor([int(x) for x in b]))
        want = [b.tolist() for b in batches]
        for workers in 0, 2:
            loaded = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)
            self.assertEqual([b.tolist() for b in loaded], want)
        # ended, and begun again at a counter
        self.assertEqual([b.tolist() for b in torch.utils.data.DataLoader(batches.start(6), batch_size=None, num_workers=2)], want[6:])


class Package(unittest.TestCase):
    def test_no_dependency(self):
        """Importing it, and iterating, imports no table package."""
        code = "import sys, taco_h; list(taco_h.open(sys.argv[1])); print([m for m in ('pyarrow', 'numpy', 'pandas', 'polars') if m in sys.modules])"
        out = subprocess.check_output([sys.executable, "-c", code, data("types.tacozip")])
        self.assertEqual(out.decode().strip(), "[]")

    def test_version(self):
        with open(os.path.join(TOP, "taco_parquet.h"), encoding="utf-8") as f:
            self.assertIn('"%s"' % taco_h.__version__, f.read())
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(taco_h.__file__), "py.typed")))


if __name__ == "__main__":
    unittest.main()
