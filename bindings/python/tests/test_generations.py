"""One open for every generation of TACO: rows, a filter, a payload and SQL of each. Needs only bundled data."""
import os
import unittest

import taco_h

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
DATA, OLD, THREE = (os.path.join(TOP, *parts, "") for parts in (("examples", "data"), ("tests", "data", "legacy"), ("tests", "data", "taco3")))

# name: path, format, rows, key of a file, its bytes
GENERATIONS = {
    "Tortilla": (OLD + "minimal.tortilla", "tortilla", 1, "@0", None),
    "TACO 0.4": (OLD + "flat.taco", "tortilla", None, "@0", None),
    "TACO 2": (DATA + "types.tacozip", "zip", 6, "@0", None),
    "TACO 3": (DATA + "taco3.zip", "taco3", 5, "@0/before/B02.tif", 142),
    "TACO 3 FOLDER": (THREE + "flat", "taco3", 7, "@6/target.tif", 134),
    "TACO 3 catalogue": (THREE + "cat", "taco3", None, "@0/z.bin", 7),
}


class Generations(unittest.TestCase):
    def test_each(self):
        for name, (path, form, rows, key, size) in GENERATIONS.items():
            with self.subTest(name), taco_h.open(path) as ds:
                self.assertEqual(ds.format, form)
                ids = [r.get("id", r.get("tortilla:id", r.get("taco:sample_index"))) for r in ds.rows()]
                self.assertEqual(len(ids), rows or len(ids))
                column = "id" if "id" in ds.columns() else '"taco:sample_index"'
                quoted = "'%s'" % ids[-1] if isinstance(ids[-1], str) else ids[-1]
                self.assertEqual(len(list(ds.filter(f"{column} = {quoted}").rows())), 1)
                self.assertEqual([r["n"] for r in ds.rows("SELECT count(*) AS n FROM data")], [len(ids)])
                self.assertGreater(len(ds.payload(key)), 0)
                if size:
                    self.assertEqual(len(ds.payload(key)), size)

    def test_tables_of_taco_3(self):
        with taco_h.open(DATA + "taco3.zip") as ds:
            self.assertEqual([r["n"] for r in ds.rows('SELECT count(*) AS n FROM "children/before"')], [10])
            files = ds.read(0)
            self.assertEqual(list(files)[:2], ["before/B02.tif", "before/B03.tif"])
            self.assertTrue(files["change_map.tif"].startswith("/vsisubfile/331_1,"))
        with taco_h.open(THREE + "sequence.zip") as ds:
            self.assertEqual(len(ds.read("seq1")["img"]), 14)


if __name__ == "__main__":
    unittest.main()
