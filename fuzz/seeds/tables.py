#!/usr/bin/env python3
"""tables.py - makes fuzz/seeds/pages/made_* again: Parquet files that no common writer makes, of a few hundred bytes each.

Decimals of every physical type, too wide ones among them; groups without fields; two dictionary pages in a column chunk; a chunk in another
file; page indexes that agree with the pages, and some that contradict them in rows, places or sizes, for flat and for repeated columns."""
import os, struct

os.chdir(os.path.dirname(os.path.abspath(__file__)))
INT32, INT64, DOUBLE, BYTES, FIXED = 1, 2, 5, 6, 7
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
REQUIRED, OPTIONAL, REPEATED = 0, 1, 2


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(n):
    return varint((n << 1) ^ (n >> 63))


def value(v):
    """(type, bytes) of a value of compact Thrift: int (64 bits), bool, bytes, str, list, or dict of fields."""
    if isinstance(v, bool): return 1 if v else 2, b""
    if isinstance(v, int): return 6, number(v)
    if isinstance(v, str): v = v.encode()
    if isinstance(v, bytes): return 8, varint(len(v)) + v
    if isinstance(v, dict): return 12, thrift(v)
    kind = 2 if isinstance(v[0], bool) else value(v[0])[0]
    head = bytes([len(v) << 4 | kind]) if len(v) < 15 else bytes([0xF0 | kind]) + varint(len(v))
    return 9, head + b"".join((b"\1" if x else b"\2") if isinstance(x, bool) else value(x)[1] for x in v)


def thrift(fields):
    out, last = b"", 0
    for k, v in sorted(fields.items()):
        if v is None: continue
        kind, data = value(v)
        if isinstance(v, int) and not isinstance(v, bool) and k in I32.get(id(fields), ()): kind = 5
        out += (bytes([(k - last) << 4 | kind]) if 0 < k - last < 16 else bytes([kind]) + number(k)) + data
        last = k
    return out + b"\0"


I32 = {} # identity of a dict: its fields that are int32
KEEP = []


def record(i32=(), **fields):
    """A struct from f1=..., f2=...; those of i32 are 32 bits."""
    d = {int(k[1:]): v for k, v in fields.items()}
    I32[id(d)] = set(i32)
    KEEP.append(d)
    return d


def levels(values, bits):
    """Levels, or indexes, each as a run of one."""
    return b"".join(varint(2) + bytes([v]) for v in values) if bits else b""


def page(values, count, encoding=PLAIN, rep=None, definition=None, v2_rows=None, dictionary=False, claims=None, longer=0):
    """A page with its header, not compressed. claims: the size that it says it has; longer: by how much its levels say they are."""
    r, d = levels(rep or [], 1), levels(definition or [], 1)
    if dictionary:
        head = record((1, 2, 3), f1=2, f2=len(values), f3=len(values), f7=record((1, 2), f1=count, f2=PLAIN))
        return thrift(head) + values
    if v2_rows is not None:
        body = r + d + values
        data = record((1, 2, 3, 4, 5, 6), f1=count, f2=(definition or []).count(0), f3=v2_rows, f4=encoding, f5=len(d) + longer, f6=len(r), f7=False)
        return thrift(record((1, 2, 3), f1=3, f2=len(body), f3=len(body), f8=data)) + body
    body = b"".join(struct.pack("<I", len(x)) + x for x in (r, d) if x) + values
    data = record((1, 2, 3, 4), f1=count, f2=encoding, f3=RLE, f4=RLE)
    return thrift(record((1, 2, 3), f1=0, f2=len(body) if claims is None else claims, f3=len(body), f5=data)) + body


def leaf(name, kind, repetition=REQUIRED, length=None, converted=None, scale=None, precision=None):
    return record((1, 2, 3, 6, 7, 8), f1=kind, f2=length, f3=repetition, f4=name, f6=converted, f7=scale, f8=precision)


def group(name, children, repetition=REQUIRED, converted=None):
    return record((3, 5, 6), f3=repetition, f4=name, f5=children, f6=converted)


def table(schema, chunks, rows):
    """schema: elements without the root's; chunks: (path, type, [pages], number of values, more). The columns of `more`: dictionary,
    whether the first page is one; codec, its number;
    index, [(offset shift, size shift, first row)]; bounds, [(min, max)]; file_path, and
    shift, by how much the place of its pages is too large."""
    out, columns = b"PAR1", []
    for path, kind, pages, count, more in chunks:
        start, places = len(out), []
        for p in pages:
            places.append((len(out), len(p)))
            out += p
        meta = record((1, 4), f1=kind, f2=[PLAIN, RLE], f3=path, f4=more.get("codec", 0), f5=count, f6=len(out) - start, f7=len(out) - start,
                      f9=(places[1][0] if more.get("dictionary") else start) + more.get("shift", 0), f11=start if more.get("dictionary") else None)
        columns.append((meta, places[1:] if more.get("dictionary") else places, more))
    done = []
    for meta, places, more in columns:
        at = {}
        if more.get("index"):
            x = thrift({1: [record((2,), f1=places[min(i, len(places) - 1)][0] + o, f2=places[min(i, len(places) - 1)][1] + s, f3=row)
                            for i, (o, s, row) in enumerate(more["index"])]})
            at.update(f4=len(out), f5=len(x))
            out += x
        if more.get("bounds"):
            x = thrift(record((4,), f1=[False] * len(more["bounds"]), f2=[a for a, _ in more["bounds"]], f3=[b for _, b in more["bounds"]], f4=0,
                              f5=[0] * len(more["bounds"])))
            at.update(f6=len(out), f7=len(x))
            out += x
        done.append(record((5, 7), f1=more.get("file_path"), f2=0, f3=meta, **at))
    root = record((5,), f4="schema", f5=TOP[0])
    foot = thrift(record((1,), f1=2, f2=[root] + schema, f3=rows, f4=[record(f1=done, f2=len(out) - 4, f3=rows)], f6="made by hand"))
    return out + foot + struct.pack("<I", len(foot)) + b"PAR1"


TOP = [1] # children of the root
made = {}


def ints(values):
    return struct.pack("<%di" % len(values), *values)


def flat(index, v2=None, bounds=True, optional=False):
    """Four pages of ten rows each, 0 to 39 in all."""
    TOP[0] = 1
    pages = [page(ints(range(10 * i, 10 * i + 10)), 10, v2_rows=v2[i] if v2 else None, definition=[1] * 10 if optional else None) for i in range(4)]
    return table([leaf("c", INT32, OPTIONAL if optional else REQUIRED)],
                 [(["c"], INT32, pages, 40, dict(index=index, bounds=[(ints([10 * i]), ints([10 * i + 9])) for i in range(4)] if bounds else None))], 40)


GOOD = [(0, 0, 0), (0, 0, 10), (0, 0, 20), (0, 0, 30)]
made["index"] = flat(GOOD)
made["index_optional"] = flat(GOOD, optional=True)
made["index_rows"] = flat([(0, 0, 0), (0, 0, 9), (0, 0, 20), (0, 0, 30)])
made["index_offset"] = flat([(0, 0, 0), (3, -3, 10), (0, 0, 20), (0, 0, 30)])
made["index_size"] = flat([(0, 2, 0), (2, -2, 10), (0, 0, 20), (0, 0, 30)])
made["index_descends"] = flat([(0, 0, 0), (0, 0, 20), (0, 0, 10), (0, 0, 30)])
made["index_beyond"] = flat([(0, 0, 0), (0, 0, 10), (0, 0, 20), (0, 0, 50)])
made["index_three"] = flat(GOOD[:3])
made["index_v2"] = flat(GOOD, v2=[10, 10, 10, 10])
made["index_v2_rows"] = flat(GOOD, v2=[10, 9, 10, 10])
made["index_alone"] = flat(GOOD, bounds=False)


def lists(index, v2=None, counts=(2, 2, 2, 2)):
    """A list of two items in each of 20 rows, five rows in each of four pages; the index says what it says."""
    TOP[0] = 1
    pages = []
    for i in range(4):
        n = 5 * counts[i]
        rep = ([0] + [1] * (counts[i] - 1)) * 5
        pages.append(page(ints(range(n)), n, rep=rep, definition=[1] * n, v2_rows=v2[i] if v2 else None))
    return table([leaf("c", INT32, REPEATED)],
                 [(["c"], INT32, pages, sum(5 * c for c in counts), dict(index=index, bounds=[(ints([0]), ints([9]))] * 4))], 20)


FIVES = [(0, 0, 0), (0, 0, 5), (0, 0, 10), (0, 0, 15)]
made["lists"] = lists(FIVES)
made["lists_v2"] = lists(FIVES, v2=[5] * 4)
made["lists_v2_rows"] = lists(FIVES, v2=[5, 4, 5, 5])
made["lists_fewer"] = lists([(0, 0, 0), (0, 0, 6), (0, 0, 11), (0, 0, 15)])
made["lists_more"] = lists([(0, 0, 0), (0, 0, 4), (0, 0, 9), (0, 0, 15)])

# beside a column whose pages are skipped by a condition on another
TOP[0] = 2
wide = [page(ints(range(20 * i, 20 * i + 20)), 20) for i in range(2)]
made["two"] = table([leaf("c", INT32), leaf("l", INT32, REPEATED)],
                    [(["c"], INT32, wide, 40, dict(index=[(0, 0, 0), (0, 0, 20)], bounds=[(ints([0]), ints([19])), (ints([20]), ints([39]))])),
                     (["l"], INT32, [page(ints(range(10)), 10, rep=[0, 0] * 5, definition=[1] * 10) for i in range(4)], 40,
                      dict(index=[(0, 0, 0), (0, 0, 10), (0, 0, 20), (0, 0, 30)]))], 40)


def texts(values):
    return b"".join(struct.pack("<I", len(v)) + v for v in values)


def signed(n, size):
    return n.to_bytes(size, "big", signed=True)


TOP[0] = 4
some = [0, 1, -1, 99999, -12345, 7]
made["decimals"] = table(
    [leaf("b", BYTES, converted=5, scale=2, precision=9), leaf("f", FIXED, length=20, converted=5, scale=2, precision=9),
     leaf("i", INT32, converted=5, scale=2, precision=9), leaf("w", BYTES, converted=5, scale=3, precision=60)],
    [(["b"], BYTES, [page(texts([signed(n, 4 + i) for i, n in enumerate(some)]), 6)], 6, {}),
     (["f"], FIXED, [page(b"".join(signed(n, 20) for n in some), 6)], 6, {}), (["i"], INT32, [page(ints(some), 6)], 6, {}),
     (["w"], BYTES, [page(texts([signed(n * 10 ** 40, 24 + i) for i, n in enumerate(some)]), 6)], 6, {})], 6)
TOP[0] = 2
made["decimals_wide"] = table(
    [leaf("b", BYTES, converted=5, scale=2, precision=9), leaf("f", FIXED, length=20, converted=5, scale=2, precision=9)],
    [(["b"], BYTES, [page(texts([signed(10 ** 30, 16), b""]), 2)], 2, {}), (["f"], FIXED, [page(signed(10 ** 40, 20) * 2, 2)], 2, {})], 2)
TOP[0] = 4
made["no_fields"] = table(
    [leaf("c", INT32), group("s", 0), group("l", 1, OPTIONAL, 3), group("list", 1, REPEATED), group("element", 0, OPTIONAL),
     group("m", 1, OPTIONAL, 1), group("key_value", 2, REPEATED), group("key", 0), group("value", 0, OPTIONAL)],
    [(["c"], INT32, [page(ints(some), 6)], 6, {})], 6)
TOP[0] = 1
coded = page(b"\1" + levels([0, 1, 0, 1], 1), 4, RLE_DICTIONARY)
made["two_dictionaries"] = table(
    [leaf("c", BYTES, converted=0)],
    [(["c"], BYTES, [page(texts([b"a", b"bc"]), 2, dictionary=True), coded, page(texts([b"xyz", b""]), 2, dictionary=True), coded], 8, dict(dictionary=True))], 8)
made["elsewhere"] = table([leaf("c", INT32)], [(["c"], INT32, [page(ints(some), 6)], 6, dict(file_path="other.parquet", shift=10 ** 6))], 6)

packed = b"\x18\x5c" + ints(some) # Snappy: 24 bytes, one literal
made["packed"] = table([leaf("c", INT32)], [(["c"], INT32, [page(packed, 6, claims=24)], 6, dict(codec=1))], 6)
made["packed_large"] = table([leaf("c", INT32)], [(["c"], INT32, [page(packed, 6, claims=2 ** 30)], 6, dict(codec=1))], 6)
made["packed_beyond"] = table([leaf("c", INT32)], [(["c"], INT32, [page(packed, 6, claims=900000)], 6, dict(codec=1))], 6)
made["packed_other"] = table([leaf("c", INT32)], [(["c"], INT32, [page(packed, 6, claims=28)], 6, dict(codec=1))], 6)
made["levels_beyond"] = table([leaf("c", INT32, OPTIONAL)], [(["c"], INT32, [page(ints(some), 6, definition=[1] * 6, v2_rows=6, longer=900)], 6, {})], 6)

for name, data in made.items():
    with open("pages/made_" + name, "wb") as f: f.write(data)
print("%d files" % len(made))
