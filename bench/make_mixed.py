#!/usr/bin/env python3
"""make_mixed.py ARCHIVE OUTDIR - inputs of bench/codecs.c: OUTDIR/level0.parquet from an archive made by make_big.py, and
OUTDIR/mixed.bin: 16 MiB of machine code, 16 of C headers and Perl, 8 of Python, 8 of doubles, from this machine's files."""
import glob, math, os, random, struct, sys, sysconfig, zipfile

archive, out = sys.argv[1:]
if not os.path.exists(out + "/level0.parquet"):
    data = zipfile.ZipFile(archive).read("METADATA/level0.parquet")
    open(out + "/level0.parquet", "wb").write(data)
if os.path.exists(out + "/mixed.bin"):
    sys.exit()


def take(n, patterns):
    got = bytearray()
    for p in patterns:
        for f in sorted(glob.glob(p, recursive=True)):
            if os.path.isfile(f) and not os.path.islink(f) and len(got) < n:
                try:
                    got += open(f, "rb").read(4 << 20)
                except OSError:
                    pass
    return bytes(got[:n])


M, lib = 1 << 20, sysconfig.get_paths()["stdlib"]
random.seed(42)
x, floats = 20.0, bytearray()
for _ in range(M):
    x += random.gauss(0, .01)
    floats += struct.pack("<d", round(x, 3))
parts = [take(16 * M, ["/usr/bin/*", "/usr/lib/*/*.so*"]), take(16 * M, ["/usr/include/**/*.h", "/usr/share/perl/**/*.p[lm]"]),
         take(8 * M, [lib + "/**/*.py"]), bytes(floats)]
open(out + "/mixed.bin", "wb").write(b"".join(parts))
print("mixed.bin: %s MiB" % " + ".join("%.1f" % (len(p) / M) for p in parts))
