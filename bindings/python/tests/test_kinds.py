"""Every public method on every kind of dataset: the generations of TACO, Tortilla, Rasteret, several as one. Each call must
answer, or fail with a TacoError where the table says so; and with "closed" after close(). Needs only bundled data."""
import gc
import importlib.util
import os
import pickle
import tempfile
import unittest
import warnings

import taco_h

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
DATA, OLD = os.path.join(TOP, "examples", "data", ""), os.path.join(TOP, "tests", "data", "legacy", "")
ARROW = importlib.util.find_spec("pyarrow") is not None

# name: path or paths, format, id, name in repr, rows, levels
KINDS = {
    "archive": (DATA + "nested.tacozip", "zip", "nested", "nested", 4, 2),
    "flat": (DATA + "types.tacozip", "zip", "types", "types", 6, 1),
    "places": (DATA + "geo_nested.tacozip", "zip", "geo-nested", "geo-nested", 4, 3),
    "folder": (DATA + "nested_folder", "folder", "nested", "nested", 4, 2),
    "catalogue": (DATA + "tacocat_binary/__TACOCAT__", "tacocat", "tacocat_old", "tacocat_old", 6, 2),
    "collection": (DATA + "multi/TACOLLECTION.json", "zip", "multi", "multi", None, 2),
    "2025 archive": (DATA + "era_0130.tacozip", "zip", "era", "era", None, 3),
    "2025 folder": (DATA + "era_0130_folder", "folder", "era", "era", None, 3),
    "several": ([DATA + "concat/a.tacozip", DATA + "concat/b.tacozip"], "zip", "cc-a", "cc-a", None, 1),
    "tortilla": (OLD + "minimal.tortilla", "tortilla", "", "minimal.tortilla", 1, 1),
    "mixed tortilla": (OLD + "mixed.tortilla", "tortilla", "", "mixed.tortilla", 5, 1),
    "nested tortilla": (OLD + "taco_inside.tortilla", "tortilla", "", "taco_inside.tortilla", 2, 2),
    "tortilla 0.0": (OLD + "a0.tortilla", "tortilla", "", "a0.tortilla", 3, 1),
    "tortilla 0.1": (OLD + "first.tortilla", "tortilla", "", "first.tortilla", 3, 1),
    "parts": ([OLD + "parts.000%d.part.tortilla" % i for i in (0, 1)], "tortilla", "", "parts.0000.part.tortilla", 2, 1),
    "tortillas": ([OLD + "minimal.tortilla", OLD + "mixed.tortilla"], "tortilla", "", "minimal.tortilla", 6, 1),
    "TACO 0.4": (OLD + "flat.taco", "tortilla", "cc-a", "cc-a", None, 1),
    "Rasteret": (OLD + "rasteret.parquet", "rasteret", "plain", "plain", 6, 1),
}
TACO_2 = {k for k in KINDS if KINDS[k][1] in ("zip", "folder", "tacocat")}
OTHERS = set(KINDS) - TACO_2
NONE = set()  # kinds for which a call fails
NO_PLACE_OR_TIME = set(KINDS) - {"archive", "places", "folder", "collection", "parts", "Rasteret"}
NO_PIXELS = set(KINDS)
FOLDERS = {k for k in KINDS if KINDS[k][5] > 1}
RASTERET = {"Rasteret"}


def first_id(ds):
    return next(iter(ds.rows(select="id")))["id"]


def read(ds, key):
    """A sample; the children of a FOLDER are a table, for which a package is needed."""
    try:
        return ds.read(key)
    except taco_h.TacoBackendError:
        if ARROW:
            raise


def read_frame(ds):
    """Row 0 of the table, and of the table it leads to, down to a path."""
    found = ds.data.read(0)
    while isinstance(found, taco_h.TacoDataFrame):
        found = found.read(0)
    return found


def files(ds):
    return ds.batches(batch_size=2, level=ds.levels - 1)


# name: call, kinds for which it fails
CALLS = {
    "collection": (lambda ds: ds.collection, NONE),
    "id": (lambda ds: ds.id, NONE),
    "version": (lambda ds: ds.version, NONE),
    "description": (lambda ds: ds.description, NONE),
    "title": (lambda ds: ds.title, NONE),
    "tasks": (lambda ds: ds.tasks, NONE),
    "extent": (lambda ds: ds.extent, NONE),
    "providers": (lambda ds: ds.providers, NONE),
    "licenses": (lambda ds: ds.licenses, NONE),
    "curators": (lambda ds: ds.curators, NONE),
    "keywords": (lambda ds: ds.keywords, NONE),
    "field_schema": (lambda ds: ds.field_schema, NONE),
    "pit_schema": (lambda ds: ds.pit_schema.with_n(3).to_dict(), OTHERS),
    "levels": (lambda ds: ds.levels, NONE),
    "format": (lambda ds: ds.format, NONE),
    "info": (lambda ds: ds.info(), NONE),
    "columns": (lambda ds: ds.columns(ds.levels - 1), NONE),
    "navigation_columns": (lambda ds: ds.navigation_columns(True), NONE),
    "is_rsut": (lambda ds: ds.is_rsut(), NONE),
    "verify_rsut": (lambda ds: ds.verify_rsut(), NONE),
    "filter": (lambda ds: len(ds.filter(where="id <> 'x'")), NONE),
    "filter deeper": (lambda ds: len(ds.filter(where="id <> 'x'", level=1)), set(KINDS) - FOLDERS),
    "filter_bbox": (lambda ds: len(ds.filter_bbox(-180, -90, 180, 90)), NO_PLACE_OR_TIME),
    "filter_datetime": (lambda ds: len(ds.filter_datetime("1970/2100")), NO_PLACE_OR_TIME),
    "sort": (lambda ds: ds.sort("id"), NONE),
    "limit": (lambda ds: ds.limit(1), NONE),
    "rows": (lambda ds: list(ds.rows()), NONE),
    "rows selected": (lambda ds: list(ds.rows("SELECT count(*) FROM data")), NONE),
    "rows repr": (lambda ds: repr(ds.rows()), NONE),
    "iteration": (lambda ds: list(ds), NONE),
    "len": (lambda ds: len(ds), NONE),
    "read": (lambda ds: read(ds, 0), NONE),
    "read by id": (lambda ds: read(ds, first_id(ds)), NONE),
    "vsi": (lambda ds: ds.vsi("@0"), RASTERET),
    "paths": (lambda ds: ds.paths(), NONE),
    "payload": (lambda ds: ds.payload("/".join(["@0"] * ds.levels), 0, 4), RASTERET),
    "batches": (lambda ds: files(ds)[0], RASTERET),
    "concat": (lambda ds: len(taco_h.concat([ds, ds])), {"collection"}),
    "with": (lambda ds: ds.__enter__(), NONE),
}
for _name in ("mean", "std", "min", "max", "p25", "p50", "median", "p75", "p95", "categorical"):
    CALLS["stats_" + _name] = ((lambda n: lambda ds: getattr(ds, n)(0))("stats_" + _name), NO_PIXELS)
if ARROW:
    CALLS.update({
        "stream": (lambda ds: ds.rows().to_arrow(), NONE),
        "data": (lambda ds: ds.data, NONE),
        "data_raw": (lambda ds: ds.data_raw, NONE),
        "sql": (lambda ds: ds.sql("SELECT id FROM data"), NONE),
        "flatten": (lambda ds: ds.flatten(), RASTERET),
        "read a table": (read_frame, NONE),
    })
# need no open file
ALWAYS = {"close", "closed"}


def opened(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", taco_h.TacoWarning)
        return taco_h.open(KINDS[kind][0])


def open_files():
    """The bundled files that this process has open; None where the system does not say."""
    if not os.path.isdir("/proc/self/fd"):
        return None
    found = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink("/proc/self/fd/" + fd))
        except OSError:
            pass
    return [f for f in found if f.startswith(TOP) and f.endswith((".tacozip", ".tortilla", ".taco", ".parquet", "__TACOCAT__"))]


class Kinds(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", taco_h.TacoWarning)
        self.addCleanup(warnings.resetwarnings)

    def test_nothing_is_missing(self):
        called = {name.split()[0] for name in CALLS} | ALWAYS | (set() if ARROW else {"data", "data_raw", "sql", "flatten"})
        public = {name for name in dir(taco_h.TacoDataset) if not name.startswith("_")}
        self.assertEqual(public - called, set())

    def test_every_call(self):
        for kind in KINDS:
            for name, (call, fails) in CALLS.items():
                with self.subTest(kind=kind, call=name):
                    ds = opened(kind)
                    if kind in fails:
                        with self.assertRaises(taco_h.TacoError) as told:
                            call(ds)
                        self.assertGreater(len(str(told.exception)), 20)
                    else:
                        call(ds)
                    ds.close()

    def test_what_they_are(self):
        for kind, (_, form, name, shown, count, levels) in KINDS.items():
            with self.subTest(kind=kind), opened(kind) as ds:
                self.assertEqual((ds.format, ds.id, ds.levels), (form, name, levels))
                rows = list(ds)
                self.assertEqual(len(ds), len(rows) if count is None else count)
                self.assertIn("<TacoDataset '%s'>" % shown, repr(ds))
                self.assertIn("Level 0: %d rows" % len(rows), repr(ds))
                self.assertIn("<b>TacoDataset %s</b>" % shown, ds._repr_html_())
                self.assertIn("Level %d" % (levels - 1), ds._repr_html_())
                self.assertEqual(ds.is_rsut(), True)

    @unittest.skipUnless(ARROW, "pyarrow is not installed")
    def test_samples(self):
        """One sample has the same path, whichever way it is found."""
        for kind in KINDS:
            with self.subTest(kind=kind), opened(kind) as ds:
                paths, key, found = ds.paths(), first_id(ds), ds.read(0)
                self.assertTrue(all(isinstance(p, str) and p for p in paths), paths)
                if kind in RASTERET:
                    self.assertEqual(found, {"B01": "payloads/s0.tif", "B02": "payloads/s0.tif"})
                    self.assertEqual(found, ds.read(key))
                    self.assertEqual(paths[0], "payloads/s0.tif")
                    self.assertEqual(len(paths), len(set(paths)))
                    continue
                self.assertEqual(len(paths), len(ds))
                if isinstance(found, str):
                    self.assertEqual({found, ds.read(key), ds.vsi("@0"), paths[0]}, {found})
                else:
                    while isinstance(found, taco_h.TacoDataFrame):
                        found = found.read(0)
                    self.assertEqual(found, ds.vsi("/".join(["@0"] * ds.levels)))
                    self.assertEqual(ds.read(0).columns, ds.read(key).columns)
                ours = [r["id"] for r in ds]
                with self.assertRaises(taco_h.TacoNavigationError):
                    ds.read(len(ours))
                with self.assertRaises(taco_h.TacoNavigationError):
                    ds.read("no such sample")

    @unittest.skipUnless(ARROW, "pyarrow is not installed")
    def test_tables(self):
        for kind in KINDS:
            with self.subTest(kind=kind), opened(kind) as ds:
                self.assertEqual([r["id"] for r in ds], ds.data["id"].to_pylist())
                if kind in RASTERET:
                    self.assertEqual(ds.data.read(0), ds.read(0))
                else:
                    self.assertEqual(ds.flatten()["gdal_vsi"].to_pylist()[0], read_frame(ds))


class Closed(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", taco_h.TacoWarning)
        self.addCleanup(warnings.resetwarnings)

    def says_so(self, call, *args):
        with self.assertRaisesRegex(ValueError, "closed"):
            call(*args)

    def test_every_call(self):
        for kind in KINDS:
            ds = opened(kind)
            filtered = ds.filter(where="id <> 'x'")
            list(ds)
            self.assertFalse(ds.closed)
            filtered.close()
            self.assertTrue(ds.closed and filtered.closed)
            for d in ds, filtered:
                for name, (call, _) in CALLS.items():
                    with self.subTest(kind=kind, call=name):
                        self.says_so(call, d)
                self.assertIn("closed", repr(d))
                self.assertIn("closed", d._repr_html_())
                d.close()

    def test_files_are_closed(self):
        gc.collect()
        before = open_files()
        if before is None:
            self.skipTest("the system does not list open files")
        for kind in KINDS:
            with self.subTest(kind=kind):
                with opened(kind) as ds:
                    rows, stream = iter(ds), ds.__arrow_c_stream__()
                    next(rows)
                    kept = [ds.filter(where="id <> 'x'"), ds.rows(), rows, stream]
                    if kind not in RASTERET:
                        kept += [files(ds), files(ds).start(1)]
                    if KINDS[kind][1] != "folder" and kind != "collection":
                        self.assertGreater(len(open_files()), len(before))
                self.assertEqual(open_files(), before)
                del kept

    def test_rows(self):
        """Rows in progress, also those that the iterator has read."""
        with opened("archive") as ds:
            rows, started, ended = ds.rows(), iter(ds), iter(ds)
            next(started)
            first = list(ended)[0]
        self.says_so(next, started)
        self.says_so(list, rows)
        self.assertIn("closed", repr(rows))
        self.assertRaises(StopIteration, next, ended)
        self.assertRaises(StopIteration, next, started)
        self.assertEqual(first["id"], "tile_00")

    def test_batches(self):
        with opened("archive") as ds:
            batches, own = files(ds), files(ds)
            self.assertEqual(len(batches[0]), 2)
            later, sent = batches.start(1), pickle.dumps(batches)
            own.close()
            self.says_so(own.__getitem__, 0)
            self.assertEqual(len(later[0]), 2)
        for b in batches, later, batches.start, later.start, pickle.loads(pickle.dumps(batches)):
            self.says_so(b if callable(b) else b.__getitem__, 0)
            if not callable(b):
                self.says_so(len, b)
                self.says_so(list, b)
        self.assertEqual(len(pickle.loads(sent)[0]), 2)  # of another process, which opens its own

    @unittest.skipUnless(ARROW, "pyarrow is not installed")
    def test_tables_and_streams(self):
        import pyarrow as pa

        with opened("archive") as ds:
            table, flat, children = ds.data, ds.flatten(), ds.read(0)
            self.assertEqual(children["id"].to_pylist(), ["image", "label", "note"])
            rows = ds.rows(level=1)
            readers = [pa.RecordBatchReader.from_stream(rows) for _ in range(2)] if hasattr(pa.RecordBatchReader, "from_stream") else []
            batch = readers[0].read_next_batch() if readers else None
        self.assertEqual(table["id"].to_pylist()[3], "tile_03")  # what was returned remains
        self.assertEqual(flat.num_rows, 12)
        self.says_so(table.read, 0)
        self.says_so(children.read, 0)
        self.says_so(pa.table, rows) if hasattr(pa.RecordBatchReader, "from_stream") else None
        for reader in readers:
            with self.assertRaisesRegex(Exception, "the dataset is closed"):
                reader.read_all()
        if batch:
            self.assertEqual(batch.column(0).to_pylist()[:2], ["image", "label"])

    def test_a_file_can_be_replaced(self):
        """As Windows wants it closed first; and what is opened afterwards is the new one."""
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "x.tacozip")
            for name in "nested.tacozip", "types.tacozip":
                with open(DATA + name, "rb") as f, open(path, "wb") as to:
                    to.write(f.read())
                with taco_h.open(path) as ds:
                    next(iter(ds))
                os.remove(path)
                self.says_so(len, ds)


if __name__ == "__main__":
    unittest.main()
