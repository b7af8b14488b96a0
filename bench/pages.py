#!/usr/bin/env python3
"""pages.py TACO OUT [LEVEL0.parquet] - the pages of a level0.parquet as our writer splits them, for bench/encode.c: each
after its size in 4 bytes. Without a file, uses a flat archive of 200,000 samples made by ../shared/tools/make_big.py
(whose Python needs pyarrow)."""
import os, struct, subprocess, sys, tempfile, zipfile

taco, out = sys.argv[1:3]
shared = os.environ.get("SHARED", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../shared"))
sys.path.insert(0, os.path.join(shared, "tools"))
import pqmini

with tempfile.TemporaryDirectory() as d:
    source, plain = d + "/level0.parquet", d + "/plain.parquet"
    if len(sys.argv) > 3:
        source = sys.argv[3]
    else:
        subprocess.run([sys.executable, shared + "/tools/make_big.py", "flat", "--n", "200000", "--out", d + "/flat.tacozip"], check=True, stdout=subprocess.DEVNULL)
        open(source, "wb").write(zipfile.ZipFile(d + "/flat.tacozip").read("METADATA/level0.parquet"))
    subprocess.run([taco, "parquet", "copy", source, plain, "--codec", "none"], check=True)
    data = open(plain, "rb").read()
pages = total = 0
with open(out, "wb") as f:
    footer = pqmini.T(data, len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]).st()
    for group in footer[4]:
        for chunk in group[1]:
            meta = chunk[3]
            at = min(meta[9], meta.get(11) or meta[9])  # the dictionary page, when there is one
            end = at + meta[7]
            while at < end:
                t = pqmini.T(data, at)
                size = t.st()[3]
                f.write(struct.pack("<I", size) + data[t.o:t.o + size])
                at, pages, total = t.o + size, pages + 1, total + size
print("%d pages of %d bytes" % (pages, total))
