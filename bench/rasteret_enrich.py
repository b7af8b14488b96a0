"""rasteret_enrich.py TACO [N [LEAST]] - reads headers of N local COGs into a collection, with rasteret and then with taco;
compares the results, and fails unless taco is LEAST (20) times as fast. Run with the Python of rasteret 0.4.1 (or 0.3.4)."""
import asyncio
import logging
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet as pq

logging.disable(logging.CRITICAL)
import rasteret  # noqa: E402
from rasteret.ingest import enrich as reference  # noqa: E402

RUNS = 5


def header(i, size=10980, tile=512):
    """a COG of one band, as GDAL lays it out: the directory at the front, tables behind it, and no data"""
    n = -(-size // tile)
    tags = [(256, 3, [size]), (257, 3, [size]), (258, 3, [16]), (259, 3, [8]), (262, 3, [1]), (277, 3, [1]),
            (284, 3, [1]), (317, 3, [2]), (322, 3, [tile]), (323, 3, [tile]),
            (324, 4, [65536 + k * 300000 + i for k in range(n * n)]), (325, 4, [299000 + k for k in range(n * n)]),
            (339, 3, [1]), (33550, 12, [10.0, 10.0, 0.0]), (33922, 12, [0.0, 0.0, 0.0, 600000.0 + i, 4000000.0, 0.0]),
            (34735, 3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32601 + i % 60]), (42113, 2, b"0\0")]
    out, values = b"II*\0" + struct.pack("<IH", 8, len(tags)), b""
    at = 8 + 2 + 12 * len(tags) + 4
    for tag, kind, v in tags:
        raw = v if kind == 2 else struct.pack("<%d%s" % (len(v), {3: "H", 4: "I", 12: "d"}[kind]), *v)
        out += struct.pack("<HHI", tag, kind, len(v))
        if len(raw) <= 4:
            out += raw.ljust(4, b"\0")
        else:
            out += struct.pack("<I", at + len(values))
            values += raw
    return (out + struct.pack("<I", 0) + values).ljust(65536, b"\0")


def local():
    """rasteret before 0.4 takes URLs only: a backend that reads local files, as cheaply as Python can"""
    if rasteret.__version__ >= "0.4":
        return None

    class Backend:
        async def get_range(self, url, start, length):
            with open(url, "rb") as f:
                f.seek(start)
                return f.read(length)
    return Backend()


def main():
    taco, n = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    least = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    work = tempfile.mkdtemp(prefix="rasteret-bench-")
    hrefs = []
    for i in range(n):
        hrefs.append(os.path.join(work, "cog-%05d.tif" % i))
        with open(hrefs[-1], "wb") as f:
            f.write(header(i))
    wkb = bytes.fromhex("01030000000100000005000000") + struct.pack("<10d", 0, 0, 1, 0, 1, 1, 0, 1, 0, 0)
    asset = pa.struct([("B01", pa.struct([("href", pa.string()), ("band_index", pa.int64())]))])
    table = pa.table({"id": ["r%05d" % i for i in range(n)],
                      "datetime": pa.array([i * 10 ** 6 for i in range(n)], pa.timestamp("us")),
                      "geometry": pa.array([wkb] * n, pa.binary()),
                      "assets": pa.array([{"B01": {"href": h, "band_index": 0}} for h in hrefs], asset)})
    source = os.path.join(work, "table.parquet")
    pq.write_table(table, source)
    theirs, ours, cpu = [], [], [0.0, 0.0]
    for k in range(RUNS):  # in turns, so that neither alone meets warm or cold files
        t, c = time.perf_counter(), time.process_time()
        index = reference.build_url_index_from_assets(table)
        want = asyncio.run(reference.enrich_table_with_cog_metadata(table, index, ["B01"], backend=local()))
        pq.write_table(want, os.path.join(work, "theirs.parquet"), compression="zstd", compression_level=3)
        theirs.append(time.perf_counter() - t)
        cpu[0] += time.process_time() - c
        out = os.path.join(work, "out-%d.parquet" % k)
        t = time.perf_counter()
        subprocess.run([taco, "rasteret", "enrich", source, out, "--single"], check=True)
        ours.append(time.perf_counter() - t)
    got = pq.read_table(out, columns=["id", "B01_metadata", "proj:epsg"]).to_pylist()
    same = got == want.select(["id", "B01_metadata", "proj:epsg"]).to_pylist()
    a, b = min(theirs), min(ours)
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu[1] = u.ru_utime + u.ru_stime
    print("%d headers, best of %d runs in turns; rasteret %s, headers and the file, without import; taco, the whole "
          "process" % (n, RUNS, getattr(rasteret, "__version__", "?")))
    print("rasteret %.3f s   taco %.3f s   %.1f times as fast (CPU time %.1f)   answers %s" %
          (a, b, a / b, cpu[0] / cpu[1], "equal" if same else "DIFFER"))
    for f in os.listdir(work):
        os.unlink(os.path.join(work, f))
    os.rmdir(work)
    return 0 if same and a / b >= least else 1


sys.exit(main())
