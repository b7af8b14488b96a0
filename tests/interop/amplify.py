#!/usr/bin/env python3
"""amplify.py DIR - small files that ask for much work: Parquet tables, and archives with such a table as their level.

Used by strict.py; a kind is a function that returns the columns and row groups of a table, here in the smallest and in the largest
form that a writer of hostile files would choose: just below a limit of taco_limits_strict, where the work is done, and far above."""
import os, sys, zipfile

VALUES, DECODED, PAGE = 8 << 20, 256 << 20, 16 << 20  # taco_limits_strict, of a table below 1 MiB
BOOL, INT32, INT64, DOUBLE, BYTES, FIXED = 0, 1, 2, 5, 6, 7
PLAIN, RLE, DELTA, DELTA_BYTES, DICT, SPLIT = 0, 3, 5, 7, 8, 9
REQUIRED, OPTIONAL, REPEATED = 0, 1, 2


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def zigzag(n):
    return varint(n << 1 if n >= 0 else (-n << 1) - 1)


def struct(*fields):
    """Thrift, compact protocol: (number, type, bytes) each; type 5 int, 6 long, 8 binary, 9 list, 12 struct."""
    out, last = b"", 0
    for number, kind, value in fields:
        out += bytes([(number - last) << 4 | kind]) + value
        last = number
    return out + b"\0"


def i32(number, n):
    return number, 5, zigzag(n)


def i64(number, n):
    return number, 6, zigzag(n)


def text(number, s):
    return number, 8, varint(len(s)) + s.encode()


def items(number, kind, values):
    head = bytes([len(values) << 4 | kind]) if len(values) < 15 else bytes([0xf0 | kind]) + varint(len(values))
    return number, 9, head + b"".join(values)


def zstd(runs):
    """A frame of (byte, times) and of bytes as they are: a block of 128 KiB of one byte takes 4 (RFC 8878 3.1.1.2)."""
    blocks, size = [], 0
    for r in runs:
        if isinstance(r, bytes):
            for at in range(0, len(r), 131072):
                part = r[at:at + 131072]
                blocks.append((0, len(part), part))
            size += len(r)
            continue
        byte, n = r
        size += n
        while n:
            m = min(n, 131072)
            blocks.append((1, m, bytes([byte])))
            n -= m
    out = b"\x28\xb5\x2f\xfd\xe0" + size.to_bytes(8, "little")
    for i, (kind, n, body) in enumerate(blocks):
        out += (n << 3 | kind << 1 | (i == len(blocks) - 1)).to_bytes(3, "little") + body
    return out, size


def page(kind, values, runs, encoding=PLAIN):
    """A v1 data page (0) or a dictionary page (2), ZSTD."""
    body, size = zstd(runs)
    own = (7, 12, struct(i32(1, values), i32(2, encoding))) if kind == 2 else \
        (5, 12, struct(i32(1, values), i32(2, encoding), i32(3, RLE), i32(4, RLE)))
    return struct(i32(1, kind), i32(2, size), i32(3, len(body)), own) + body


def run(value, n, width=1):
    """A section of levels or indices that is one run."""
    return varint(n << 1) + value.to_bytes((width + 7) // 8, "little")


def section(runs):
    return len(runs).to_bytes(4, "little") + runs


def levels(value, n):
    return section(run(value, n))


class Column:
    def __init__(self, name, kind, repetition=REQUIRED, width=0):
        self.name, self.kind, self.repetition, self.width = name, kind, repetition, width


def table(columns, groups, extra=b""):
    """groups: (rows, [(values, [pages] or a place that was used before, index)] for each column); the file's bytes."""
    out, chunks = bytearray(b"PAR1"), []
    places = {}
    if extra:
        places["extra"] = len(out), len(extra)
        out += extra
    for rows, parts in groups:
        row = []
        for column, (values, pages, index) in zip(columns, parts):
            key = id(pages)
            if key not in places:
                places[key] = len(out), sum(map(len, pages))
                out += b"".join(pages)
            at, size = places[key]
            meta = struct(i32(1, column.kind), items(2, 5, [zigzag(PLAIN), zigzag(RLE), zigzag(DICT)]), items(3, 8, [varint(len(column.name)) + column.name.encode()]),
                          i32(4, 6), i64(5, values), i64(6, size), i64(7, size), i64(9, at))
            fields = [i64(2, 0), (3, 12, meta)]
            if index:
                fields += [i64(4, places["extra"][0]), i32(5, places["extra"][1])]
            row.append(struct(*fields))
        chunks.append(struct(items(1, 12, row), i64(2, 0), i64(3, rows)))
    schema = [struct(text(4, "schema"), i32(5, len(columns)))]
    schema += [struct(*([i32(1, c.kind)] + ([i32(2, c.width)] if c.width else []) + [i32(3, c.repetition), text(4, c.name)] +
                        ([i32(6, 0)] if c.kind == BYTES else []))) for c in columns]
    footer = struct(i32(1, 1), items(2, 12, schema), i64(3, sum(g[0] for g in groups)), items(4, 12, chunks))
    return bytes(out) + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def one(column, rows, pages, times=1):
    return table([column], [(rows, [(rows, pages, False)])] * times)


def dictionary(length, n, kind=BYTES, letter=98):
    """Pages of n references to the one entry of a dictionary, of `length` bytes."""
    head = [length.to_bytes(4, "little")] if kind == BYTES else []
    return [page(2, 1, head + [(letter, length)]), page(0, n, [b"\1" + run(0, n)], DICT)]


def nulls(n):
    return [page(0, n, [levels(0, n)])]


def level(n, offset=True):
    """The columns of a level of n samples, each of one value."""
    columns = [Column("id", BYTES), Column("type", BYTES)] + ([Column("internal:offset", INT64), Column("internal:size", INT64)] if offset else [])
    pages = [dictionary(1, n, BYTES, 97), [page(2, 1, [b"\4\0\0\0FILE"]), page(0, n, [b"\1" + run(0, n)], DICT)]]
    pages += [[page(2, 1, [(0, 8)]), page(0, n, [b"\1" + run(0, n)], DICT)] for _ in columns[2:]]
    return columns, [(n, [(n, p, False) for p in pages])]


def tables():
    """(name, bytes) of all kinds."""
    for size, n in (("most", VALUES), ("above", 2**31 - 1)):
        yield "nulls-" + size, one(Column("a", INT32, OPTIONAL), n, nulls(n))
        yield "booleans-" + size, one(Column("a", BOOL), n, [page(0, n, [len(run(1, n)).to_bytes(4, "little") + run(1, n)], RLE)])
        yield "numbers-" + size, one(Column("a", INT64), n, [page(2, 1, [(1, 8)]), page(0, n, [b"\1" + run(0, n)], DICT)])
        yield "words-" + size, one(Column("a", BYTES), n, dictionary(3, n))
        # all of them an element of one list, or each a list of its own
        yield "elements-" + size, table([Column("a", INT32, REPEATED)], [(1, [(n, [page(2, 1, [(1, 4)]), page(0, n, [section(run(0, 1) + run(1, n - 1)), levels(1, n), b"\1" + run(0, n)], DICT)], False)])])
        yield "lists-" + size, table([Column("a", INT32, REPEATED)], [(n, [(n, [page(0, n, [levels(0, n), levels(0, n)])], False)])])
    yield "nulls-of-200-groups", one(Column("a", INT32, OPTIONAL), 2**31 - 1, nulls(2**31 - 1), 200)
    wide = 4000
    n = VALUES // wide
    p = nulls(n)
    yield "wide", table([Column("c%d" % i, INT32, OPTIONAL) for i in range(wide)], [(n, [(n, list(p), False) for i in range(wide)])])
    for size, length, n in (("long", 8 << 20, 31), ("above", 8 << 20, 1 << 20), ("middle", 1 << 16, 4090), ("short", 64, 4 << 20)):
        yield "texts-" + size, one(Column("a", BYTES), n, dictionary(length, n))
        yield "fixed-" + size, one(Column("a", FIXED, width=length), n, dictionary(length, n, FIXED))
    # 16 MiB uncompressed in 550 bytes
    values = (PAGE - 64) // 4
    zeros = page(0, values, [(0, values * 4)])
    for size, count in (("most", 2), ("above", 1500)):
        yield "pages-" + size, one(Column("a", INT32), values * count, [zeros] * count)
    again = page(2, 1, [(PAGE - 128).to_bytes(4, "little"), (98, PAGE - 128)])
    for size, count in (("most", 15), ("above", 1500)):
        yield "dictionaries-" + size, one(Column("a", BYTES), 1, [again] * count + [page(0, 1, [b"\1" + run(0, 1)], DICT)])
        # pages without rows, which have bodies all the same
        yield "empty-pages-" + size, one(Column("a", INT32), 1, [page(0, 0, [(0, PAGE - 64)])] * count + [page(0, 1, [(0, 4)])])
        # of nulls only
        yield "padded-pages-" + size, one(Column("a", INT32, OPTIONAL), count, [page(0, 1, [levels(0, 1), (0, PAGE - 64)])] * count)
    shared = [page(0, 1, [(0, PAGE - 64)])]
    yield "shared-page", table([Column("a", INT32)], [(1, [(1, shared, False)])] * 15000)
    stored = [page(0, 1, [os.urandom(1 << 17) * 3])]
    yield "shared-page-of-bytes", table([Column("a", INT32)], [(1, [(1, stored, False)])] * 9000)
    small = [page(0, 1, [(0, 4)])]
    yield "groups", table([Column("a", INT32)], [(1, [(1, list(small), False)]) for _ in range(12000)])
    index = struct(items(1, 12, [struct(i64(1, 1000 + i), i32(2, 40), i64(3, i)) for i in range(20000)]))
    yield "shared-index", table([Column("a", INT32)], [(1, [(1, list(small), True)]) for _ in range(7000)], index)
    # each value is the one before it, 4 KiB long: a prefix length, and no suffix
    for size, n in (("most", 60000), ("above", 1 << 20)):
        body = [delta(n, 0, 1 << 12), delta(n, 1 << 12, 0), (98, 1 << 12)]
        yield "prefixes-" + size, one(Column("a", BYTES), n, [page(0, n, body, DELTA_BYTES)])
        yield "steps-" + size, one(Column("a", INT64), 8 * n, [page(0, 8 * n, [delta(8 * n, 7, 7)], DELTA)])


def delta(n, first, second):
    """DELTA_BINARY_PACKED of n values that change once, if at all: blocks of 128 in 4 miniblocks, of width 0 but the first."""
    out = varint(128) + varint(4) + varint(n) + zigzag(first)
    step, low = second - first, min(second - first, 0)
    for at in range(1, n, 128):
        if at > 1 or not step:
            out += b"\0" * 5
        elif step > 0:
            out += zigzag(0) + b"\x18\0\0\0" + step.to_bytes(3, "little") + bytes(93)
        else:  # the others are above the least
            rest = (-low).to_bytes(3, "little")
            out += zigzag(low) + b"\x18" * 4 + bytes(3) + rest * 127
    return out


def archive(path, level_bytes, n):
    coll = ('{"id": "x", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "providers": [{"name": "a"}], "tasks": ["other"], '
            '"taco_version": "0.5.0", "taco:pit_schema": {"root": {"n": %d, "type": "FILE"}, "hierarchy": {}}, '
            '"taco:field_schema": {"level0": [["id", "string"], ["type", "string"]]}}' % n)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as z:
        # two entries, each an offset and a size: names are of 11, 23 and 15 bytes, local headers of 30
        head = b"\2\0\0\0" + b"".join(x.to_bytes(8, "little") for x in (210, len(level_bytes), 255 + len(level_bytes), len(coll)))
        z.writestr("TACO_HEADER", head + bytes(116 - len(head)))
        z.writestr("METADATA/level0.parquet", level_bytes)
        z.writestr("COLLECTION.json", coll)


def make(out):
    """Writes them; returns the tables and the archives."""
    os.makedirs(out, exist_ok=True)
    made, archives = [], []
    for name, b in tables():
        assert len(b) < 1 << 20, (name, len(b))
        made.append("%s/%s.parquet" % (out, name))
        with open(made[-1], "wb") as f:
            f.write(b)
    for name, n in (("level-most", VALUES // 4), ("level-above", 2**31 - 1), ("level-half", VALUES // 8)):
        columns, groups = level(n)
        archives.append("%s/%s.tacozip" % (out, name))
        archive(archives[-1], table(columns, groups), n)
    return made, archives


if __name__ == "__main__":
    for f in sum(make(sys.argv[1]), []):
        print(os.path.getsize(f), f)
