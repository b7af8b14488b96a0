"""Writing and validating datasets."""
import datetime
import json
import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple, Union

from . import _native
from ._dataset import Path
from ._errors import TacoIOError

# in the order of taco_type (taco_parquet.h)
_TYPES = (
    "null bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 half float double decimal date time timestamp int96 "
    "interval text binary fixed uuid list"
).split()
_OF_PYTHON = {
    bool: "bool",
    int: "int64",
    float: "double",
    str: "text",
    bytes: "binary",
    datetime.date: "date",
    datetime.datetime: "timestamp",
}
_EPOCH = datetime.datetime(1970, 1, 1)

Column = Union[str, type, List[Any]]
Values = Optional[Mapping[str, Any]]


def _type_number(column: Column) -> int:
    name = _OF_PYTHON.get(column) if isinstance(column, type) else column
    if name not in _TYPES[1:-1]:
        raise TypeError("no type %r: a Python type, one of %s, or [type] for lists" % (column, ", ".join(_TYPES[1:-1])))
    return _TYPES.index(name)


def _plain(v: Any) -> Any:
    """Converts a value for the native module: times to microseconds, dates to days, NumPy numbers to Python's."""
    if isinstance(v, datetime.datetime):
        if v.tzinfo is not None:
            v = v.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (v - _EPOCH) // datetime.timedelta(microseconds=1)
    if isinstance(v, datetime.date):
        return v.toordinal() - _EPOCH.toordinal()
    if isinstance(v, (tuple, list)):
        return [_plain(x) for x in v]
    if isinstance(v, (bytearray, memoryview)):
        return bytes(v)
    if hasattr(v, "tolist"):
        return v.tolist()
    return v


def _collection_text(collection: Union[str, Mapping[str, Any]]) -> bytes:
    text = collection if isinstance(collection, str) else json.dumps(collection, ensure_ascii=False)
    return text.encode("utf-8")


def _options(**given: Any) -> Dict[str, int]:
    kinds = {None: 0, "zip": 1, "folder": 2}
    if given.get("container") not in kinds:
        raise ValueError("container is zip or folder, not %r" % given["container"])
    given["container"] = kinds[given["container"]]
    return {k: int(v) for k, v in given.items()}


class Writer:
    """A dataset being written, sample by sample, under a temporary name until it is complete. A `with` block finishes it at
    the end, or discards it if an exception leaves the block.

        with taco_h.create("demo.tacozip", collection, {0: {"split": str}, 1: {"kind": str}}) as out:
            with out.folder("tile_0", {"split": "train"}):
                out.file("image.tif", "images/0.tif", {"kind": "image"})
                out.bytes("note.txt", b"...", {"kind": "note"})

    A failure discards it, and every later call fails.
    """

    def __init__(self, handle: Any, columns: Mapping[int, Mapping[str, Column]]) -> None:
        self._handle = handle
        # columns that are lists of float or double, by level
        self._floats = set()  # type: Set[Tuple[int, str]]
        self._level = 0
        for level, named in columns.items():
            for name, kind in named.items():
                self.column(level, name, kind)

    def column(self, level: int, name: str, kind: Column) -> None:
        """Declares a column of a level, before the first sample there. kind: str, int, float, bool, bytes,
        datetime.datetime, datetime.date; "float", "int16", ...; a list of one of these for a column of lists."""
        if isinstance(kind, list):
            items = _type_number(kind[0])
            if _TYPES[items] in ("float", "double"):
                self._floats.add((level, name))
            _native.writer_column(self._handle, level, name, 0, items)
        else:
            _native.writer_column(self._handle, level, name, _type_number(kind), -1)

    def set(self, values: Values) -> None:
        """Sets values of the sample added last, or of the folder begun or ended last."""
        for name, value in (values or {}).items():
            value = _plain(value)
            if isinstance(value, list) and (self._level, name) in self._floats:
                value = [float(x) for x in value]
            _native.writer_set(self._handle, name, value)

    def file(self, id: str, path: Path, values: Values = None) -> None:
        """Adds a FILE with the bytes of a file."""
        _native.writer_file(self._handle, id, os.fspath(path))
        self.set(values)

    def bytes(self, id: str, data: Any, values: Values = None) -> None:
        """Adds a FILE with these bytes."""
        _native.writer_bytes(self._handle, id, bytes(data))
        self.set(values)

    @contextmanager
    def folder(self, id: str, values: Values = None) -> Iterator["Writer"]:
        """Adds a FOLDER; samples added in the `with` block are in it."""
        _native.writer_folder(self._handle, id)
        self.set(values)
        self._level += 1
        yield self
        self._level -= 1
        _native.writer_folder(self._handle, None)

    def finish(self) -> None:
        """Checks the tree, writes the metadata and makes the dataset permanent."""
        _native.writer_end(self._handle, True)

    def abort(self) -> None:
        """Discards what was written."""
        _native.writer_end(self._handle, False)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: Any, *unused: Any) -> None:
        if kind is None:
            self.finish()
        else:
            try:
                self.abort()
            except ValueError:  # already discarded by a failure
                pass


def create(
    path: Path,
    collection: Union[str, Mapping[str, Any]],
    columns: Optional[Mapping[int, Mapping[str, Column]]] = None,
    container: Optional[str] = None,
    overwrite: bool = False,
    any_tree: bool = False,
    fill: bool = False,
    pad_to: int = 0,
) -> Writer:
    """Starts a dataset at path: an archive for names ending in .zip or .tacozip, otherwise a FOLDER, unless container is
    "zip" or "folder". collection: COLLECTION.json, with at least id, dataset_version, description, licenses, providers and
    tasks. columns: by level, names and types (see Writer.column). overwrite: replace an existing archive. any_tree: samples
    may have different trees. fill: values that are not set are null; without it they are an error."""
    how = _options(container=container, overwrite=overwrite, any_tree=any_tree, fill=fill, pad_to=pad_to)
    return Writer(_native.writer(os.fspath(path), _collection_text(collection), how), columns or {})


def create_directory(
    path: Path,
    source: Path,
    collection: Union[str, Mapping[str, Any]],
    samples: Optional[Path] = None,
    tiff: bool = False,
    container: Optional[str] = None,
    overwrite: bool = False,
    any_tree: bool = False,
    fill: bool = False,
) -> None:
    """Makes every entry of the directory source a sample of a dataset at path: a file a FILE, a directory a FOLDER.
    samples: a table with their columns (.csv, .parquet, .ndjson), in which `id` is a path below source. tiff: compute the
    stac: columns of *.tif files."""
    how = _options(container=container, overwrite=overwrite, any_tree=any_tree, fill=fill, tiff=tiff)
    table = None if samples is None else os.fspath(samples)
    _native.create_directory(os.fspath(path), os.fspath(source), _collection_text(collection), table, how)


Problem = NamedTuple("Problem", [("error", bool), ("where", str), ("message", str)])


class Validation:
    """The result of validation; true if there are no errors. problems has at most 100 of each kind, errors and warnings
    count all; failure is the message of the first error, or None."""

    def __init__(self, made: Any) -> None:
        problems, self.errors, self.warnings, self.rows, self.payloads, self.bytes, self.failure = made
        self.problems = [Problem(*p) for p in problems]

    def __bool__(self) -> bool:
        return bool(self.errors == 0)

    def __repr__(self) -> str:
        return "<taco_h.Validation: %d errors, %d warnings, %d rows>" % (self.errors, self.warnings, self.rows)


def validate(path: Path, deep: bool = False, strict_pit: bool = False) -> Validation:
    """Checks a dataset against every rule of the format. deep: also read every page, and check every payload's checksum."""
    if not os.path.exists(path):  # not a problem of a dataset
        raise TacoIOError("%s: there is no such file or directory" % os.fspath(path))
    return Validation(_native.validate(os.fspath(path), deep, strict_pit))
