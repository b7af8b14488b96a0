#!/usr/bin/env python3
"""chunks.py TACO DIR [ROWS] - one cell of a table of 1,000,000 rows of metadata changes, written with --content-defined:
how many of the file's pages (dictionaries among them) have other bytes. Fails when it is 5 % or more of them."""
import collections, hashlib, os, subprocess, sys
import pyarrow as pa, pyarrow.parquet as pq

taco, out = sys.argv[1:3]
rows = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
os.makedirs(out, exist_ok=True)


def cells(i):
    x = i * 2654435761 % 2**32
    return f"tile_{i:07d}", ("train", "test", "validation")[x % 3], x / 2**32 * 100, 1600000000 + i * 86400 % 10**8, x.to_bytes(4, "little") * 5


def written(columns, name):
    names = ("id", "split", "cloud_cover", "time", "centroid")
    source, to = os.path.join(out, "source.parquet"), os.path.join(out, name)
    pq.write_table(pa.table(dict(zip(names, columns))), source, compression="none", store_schema=False)
    subprocess.run([taco, "parquet", "copy", source, to, "--overwrite", "--content-defined", "--codec", "zstd"], check=True)
    data, meta, parts = open(to, "rb").read(), pq.read_metadata(to), []
    for g in range(meta.num_row_groups):
        for c in range(meta.num_columns):
            k = meta.row_group(g).column(c)
            at = k.dictionary_page_offset or k.data_page_offset
            end = at + k.total_compressed_size
            while at < end:  # PageHeader: type, sizes; its end is where the body's size says
                size, header = page(data, at)
                parts.append(hashlib.sha1(data[at:at + header + size]).digest())
                at += header + size
    return parts


def page(data, at):
    """Compressed size of a page and bytes of its header, in the compact protocol of Thrift."""
    def varint():
        nonlocal p
        x = shift = 0
        while True:
            b = data[p]; p += 1
            x |= (b & 127) << shift
            shift += 7
            if b < 128: return x

    def skip(kind):
        nonlocal p
        if kind in (4, 5, 6): varint()
        elif kind == 8: p += varint()
        elif kind == 12: struct(False)

    def struct(top):
        nonlocal p, size
        last = 0
        while data[p]:
            head = data[p]; p += 1
            last = last + (head >> 4) if head >> 4 else varint() >> 1
            if top and last == 3: size = varint() >> 1
            else: skip(head & 15)
        p += 1

    p, size = at, 0
    struct(True)
    return size, p - at


table = [list(c) for c in zip(*map(cells, range(rows)))]
before = written(table, "before.parquet")
worst = 0
for i, value in enumerate(("tile_changed", "other", -1.5, 7, b"a longer value than before")):
    kept, table[i][rows // 2] = table[i][rows // 2], value
    after = written(table, "after.parquet")
    table[i][rows // 2] = kept
    changed = sum((collections.Counter(after) - collections.Counter(before)).values())
    worst = max(worst, changed / len(after))
    print(f"column {i}: {changed} of {len(after)} pages changed, {100 * changed / len(after):.2f} %")
print(f"{rows} rows: at most {100 * worst:.2f} % of the pages")
sys.exit(worst >= .05)
