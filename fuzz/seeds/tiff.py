#!/usr/bin/env python3
"""tiff.py - makes fuzz/seeds/tiff again: TIFF headers without pixels, by the standard library alone.

TACO-Optimized GeoTIFFs and TACOTIFFs, and each of their options missing; planar images and their bands; every form of
georeferencing and of CRS, some faulty; the ways GDAL writes nodata; numbers of every type, directories that end early."""
import math, os, struct

BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, SSHORT, SLONG, SRATIONAL, FLOAT, DOUBLE, LONG8, SLONG8 = 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 16, 17
FORMS = {BYTE: "B", SHORT: "H", LONG: "I", RATIONAL: "II", SBYTE: "b", SSHORT: "h", SLONG: "i", SRATIONAL: "ii", FLOAT: "f", DOUBLE: "d", 13: "I", LONG8: "Q", SLONG8: "q"}
GHOST = b"GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\n"
INFO = b'<GDALMetadata><Item name="IMAGE_INFO">x</Item></GDALMetadata>'


def tiff(tags, big=False, order="<", ghost=b"", after=0, room=0):
    """tags: number -> (type, values); after: the offset of the next directory; room: bytes before the directory."""
    head = 16 if big else 8
    at = head + len(ghost) + room
    entries, values = b"", b""
    wide, size = (8, 20) if big else (4, 12)
    beyond = at + (8 if big else 2) + size * len(tags) + wide
    for tag, (type, v) in sorted(tags.items()):
        if type == ASCII:
            data, n = v + b"\0", len(v) + 1
        else:
            form = FORMS.get(type, "B")
            data, n = struct.pack(order + form[0] * len(v), *v), len(v) // len(form)
        inside = data.ljust(wide, b"\0") if len(data) <= wide else struct.pack(order + ("Q" if big else "I"), beyond + len(values))
        entries += struct.pack(order + ("HHQ" if big else "HHI"), tag, type, n) + inside
        values += data if len(data) > wide else b""
    out = (b"II" if order == "<" else b"MM") + (struct.pack(order + "HHHQ", 43, 8, 0, at) if big else struct.pack(order + "HI", 42, at))
    return (out + ghost + bytes(room) + struct.pack(order + ("Q" if big else "H"), len(tags)) + entries +
            struct.pack(order + ("Q" if big else "I"), after) + values)


def image(more={}, without=(), bands=2, planar=2, side=32, tile=16, first=4096, step=108, length=100, **how):
    """A TOG of four tiles, whose samples follow each other in a tile."""
    n = (side // tile) ** 2
    places = [first + step * (i * bands + b) for b in range(bands) for i in range(n)] if planar == 2 else [first + step * i for i in range(n)]
    tags = {256: (SHORT, [side]), 257: (SHORT, [side]), 258: (SHORT, [16] * bands), 259: (SHORT, [50000]), 262: (SHORT, [1]), 277: (SHORT, [bands]),
            284: (SHORT, [planar]), 317: (SHORT, [2]), 322: (SHORT, [tile]), 323: (SHORT, [tile]), 324: (LONG8, places), 325: (LONG, [length] * len(places)),
            338: (SHORT, [0] * (bands - 1)), 339: (SHORT, [1] * bands), 33550: (DOUBLE, [10, 10, 0]), 33922: (DOUBLE, [0, 0, 0, 5e5, 4e6, 0]),
            34735: (SHORT, [1, 1, 0, 2, 1025, 0, 1, 1, 3072, 0, 1, 32633]), 42112: (ASCII, INFO), 42113: (ASCII, b"-9999")}
    tags = {k: v for k, v in tags.items() if k not in without}
    tags.update(more)
    return tiff(tags, **dict({"big": True, "ghost": GHOST}, **how))


def placed(more, without=(33550, 33922, 34735)):
    return image(more, without + (42112, 42113, 338), bands=1, planar=1)


def keys(*of, number=None):
    return SHORT, [1, 1, 0, len(of) if number is None else number] + [x for k in of for x in k]


def nodata(text, tag=42112):
    return image({tag: (ASCII, text)}, () if tag == 42113 else (42113,), bands=1, planar=1)


M = [2, 0, 0, 100, 0, -3, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1]
SEEDS = {
    "tog": image(), "tog_one": image(bands=1, planar=1), "tog_big_endian": image(order=">"), "tog_no_cog": image(ghost=b""), "tog_other_layout": image(ghost=GHOST[:43]),
    "tog_classic": image(big=False), "tog_strips": image(without=(322, 323, 324, 325)), "tog_wide": image({322: (SHORT, [32])}), "tog_odd": image({322: (SHORT, [8]), 323: (SHORT, [8])}),
    "tog_overviews": image(after=700), "tog_deflate": image({259: (SHORT, [8])}), "tog_no_predictor": image(without=(317,)), "tog_pixel": image(planar=1),
    "tog_order": image({324: (LONG8, list(range(9000, 9000 - 8 * 108, -108)))}), "tog_holes": image({324: (LONG8, [0, 5, 0, 9, 6, 0, 0, 10])}), "tog_no_info": image(without=(42112,)),
    "tog_count": image({324: (LONG8, [1, 2, 3])}), "tog_no_bands": image({277: (SHORT, [0])}),
    "tacotiff_gap": image(step=120), "tacotiff_empty": image(length=0), "tacotiff_sizes": image(without=(325,)), "tacotiff_more": image({325: (LONG, [1, 2])}),
    "tacotiff_long": image({325: (LONG8, [2 ** 33] * 8)}), "tacotiff_wide": image({322: (LONG, [2 ** 20])}),
    "band_more": image({324: (LONG8, list(range(12))), 325: (LONG, [1] * 12)}), "jpeg": image({259: (SHORT, [7])}),
    "complex": image({339: (SHORT, [6, 6])}), "huge": image({256: (LONG, [2 ** 32 - 1]), 257: (LONG, [2 ** 32 - 1])}, bands=1, planar=1),
    "empty": image({256: (SHORT, [0])}), "matrix": placed({34264: (DOUBLE, M)}), "matrix_rotated": placed({34264: (DOUBLE, [1, 1] + M[2:])}),
    "matrix_scaled": placed({34264: (DOUBLE, M[:15] + [2])}), "matrix_short": placed({34264: (DOUBLE, M[:15])}), "matrix_nan": placed({34264: (DOUBLE, [math.nan] * 16)}),
    "matrix_point": placed({34264: (FLOAT, M), 34735: keys((1025, 0, 1, 2))}), "points_disagree": placed({33550: (DOUBLE, [1, 1, 0]), 33922: (DOUBLE, [0, 0, 0, 5, 5, 0, 1, 1, 0, 9, 9, 0])}, (34735,)),
    "points_agree": placed({33550: (DOUBLE, [1, 1]), 33922: (DOUBLE, [0, 0, 0, 5, 5, 0, 1, 1, 0, 6, 4, 0])}, (34735,)),
    "points_seven": placed({33550: (DOUBLE, [1, 1, 0]), 33922: (DOUBLE, [0] * 7)}, (34735,)), "points_none": placed({33550: (DOUBLE, [1])}, (33922, 34735)), "unplaced": placed({}),
    "crs_text": placed({34737: (ASCII, b'PROJCRS["x",ID["EPSG",3857]]|')}), "crs_text_odd": placed({34737: (ASCII, b'ID["EPSG",38x7]')}),
    "crs_text_long": placed({34737: (ASCII, b'ID["EPSG",99999999999]')}), "crs_double": placed({34735: keys((3072, 34736, 1, 1), (2048, 0, 1, 4326)), 34736: (DOUBLE, [1, 4258])}),
    "crs_double_negative": placed({34735: keys((3072, 34736, 1, 0), (2048, 34736, 1, 7)), 34736: (DOUBLE, [-5])}),
    "crs_geographic": placed({34735: keys((1024, 0, 1, 2), (1025, 0, 2, 2), (2048, 0, 1, 4326))}), "crs_user": placed({34735: keys((3072, 0, 1, 32767))}),
    "crs_other_place": placed({34735: keys((3072, 34737, 1, 0), (2048, 9, 1, 1))}), "crs_count": placed({34735: keys((3072, 0, 1, 1), number=99)}),
    "crs_short": placed({34735: (SHORT, [1, 1])}), "crs_bytes": placed({34735: (BYTE, [1] * 16)}),
    "nodata_item": nodata(b'<Item name="X">1</Item><Item sample="0" name="NODATA_VALUES"> ,-32768, 5</Item>'), "nodata_value": nodata(b'<Item name="NODATA_VALUE">nan'),
    "nodata_item_open": nodata(b"<Item name"), "nodata_item_empty": nodata(b'<Item name="NODATA_VALUES">  </Item>'),
    **{"nodata_%d" % i: nodata(t, 42113) for i, t in enumerate([b" -nan ", b"+Infinity", b"-INF", b"\t1e400\n", b"", b"x", b"nanx", b"0x10", b"1_0"])},
    "types": image({256: (SSHORT, [32]), 257: (SLONG, [32]), 258: (SBYTE, [8]), 259: (BYTE, [8]), 277: (SLONG8, [1]), 324: (13, [1, 2, 3, 4]), 325: (18, [1, 2, 3, 4]), 33550: (RATIONAL, [1, 2, 1, 0]),
                    33922: (SRATIONAL, [-1, 2] * 6)}, (338,)),
    "types_doubles": placed({34264: (SSHORT, M)}), "types_small": placed({34264: (SBYTE, [1] * 16)}), "types_long": placed({34264: (SLONG8, M)}), "types_unsigned": placed({34264: (LONG8, [1] * 16)}),
    "types_bytes": placed({34264: (7, [1] * 16)}), "types_shorts": placed({34264: (SHORT, [1] * 16)}), "types_longs": placed({34264: (LONG, [1] * 16)}), "types_slongs": placed({34264: (SLONG, M)}),
    "types_text": placed({34264: (ASCII, b"1" * 15)}), "negative": image({256: (SSHORT, [-32])}), "negative_list": image({324: (SLONG8, [-1] * 8)}), "text_for_number": image({256: (ASCII, b"32")}),
    "float_for_number": image({256: (DOUBLE, [32.0])}), "wide_number": image({256: (LONG8, [2 ** 40])}), "unknown_type": image({256: (99, [1])}), "text_for_list": image({324: (ASCII, b"abcdefgh")}),
    "cut": image()[:300], "cut_next": tiff({256: (SHORT, [1]), 257: (SHORT, [1])})[:-4], "no_directory": tiff({}), "directory_beyond": b"II*\0\xff\0\0\0" + bytes(4), "nothing": b"II*\0",
    "offsets_of_4": b"II+\0\4\0\0\0" + bytes(24), "big_short": b"MM\0+\0\x08\0\0\0\0", "many_tags": b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0" + b"\xff" * 16,
    "tags_beyond": b"II*\0\x08\0\0\0\xff\xff" + bytes(40), "no_tiff": b"PK\3\4" + bytes(20),
}
if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, data in SEEDS.items():
        with open("tiff/" + name, "wb") as f:
            f.write(data)
