"""Rows of a query: an Arrow stream for other packages, or dicts to iterate over."""
import datetime
import decimal
import uuid
from typing import Any, Callable, Dict, Iterator, List, Optional

from . import _backends, _native

_EPOCH = datetime.datetime(1970, 1, 1)
_DAY = datetime.date(1970, 1, 1)


def _instant(utc: bool, microseconds: int) -> Any:
    try:
        t = _EPOCH + datetime.timedelta(microseconds=microseconds)
    except OverflowError:  # beyond the year 9999, or before the year 1
        return microseconds
    return t.replace(tzinfo=datetime.timezone.utc) if utc else t


def _microseconds(unit: int) -> Callable[[int], int]:
    """From seconds, milliseconds, microseconds or nanoseconds; rounds down to microseconds."""
    return [lambda n: n * 1000000, lambda n: n * 1000, lambda n: n, lambda n: n // 1000][unit]


def _date(n: int) -> Any:
    try:
        return _DAY + datetime.timedelta(days=n)
    except OverflowError:
        return n


def _time(n: int) -> datetime.time:
    return (_EPOCH + datetime.timedelta(microseconds=n)).time()


def _int96(b: bytes) -> Any:
    nanoseconds = int.from_bytes(b[:8], "little")
    days = int.from_bytes(b[8:], "little") - 2440588  # 1970-01-01 as a Julian day
    return _instant(False, days * 86400000000 + nanoseconds // 1000)


def _decimal(width: int, scale: int) -> Callable[[bytes], decimal.Decimal]:
    order = "little" if width else "big"

    def convert(b: bytes) -> decimal.Decimal:
        n = int.from_bytes(b, order, signed=True)  # type: ignore[arg-type]
        return decimal.Decimal((n < 0, tuple(int(d) for d in str(abs(n))), -scale))

    return convert


def _converter(field: Any) -> Optional[Callable[[Any], Any]]:
    """A function that converts the native module's values for a column; None if they need no conversion."""
    _, kind, unit, utc, width, scale, children = field
    inner = [_converter(c) for c in children]
    if kind == "timestamp":
        to = _microseconds(unit)
        return lambda n: _instant(utc, to(n))
    if kind == "time":
        to = _microseconds(unit)
        return lambda n: _time(to(n))
    if kind == "decimal":
        return _decimal(width, scale)
    if kind == "list" and inner[0]:
        return lambda a: [_applied(inner[0], v) for v in a]
    if kind == "map":
        key, value = (_converter(c) for c in children[0][6])
        return (lambda a: [(_applied(key, k), _applied(value, v)) for k, v in a]) if key or value else None
    if kind == "struct" and any(inner):
        todo = [(c[0], f) for c, f in zip(children, inner) if f]
        return lambda d: dict(d, **{k: _applied(f, d[k]) for k, f in todo})
    return _OF_KIND.get(kind)


def _applied(f: Optional[Callable[[Any], Any]], v: Any) -> Any:
    return v if f is None or v is None else f(v)


_OF_KIND = {
    "date": _date,
    "int96": _int96,
    "uuid": lambda b: uuid.UUID(bytes=b),
}  # type: Dict[str, Callable[[Any], Any]]


class Rows:
    """Rows that are read on demand, anew each time: by pyarrow, polars, DuckDB and anything else that supports
    __arrow_c_stream__; or with `for row in rows`, as dicts of Python objects.

    Times are datetime objects in microseconds, decimals decimal.Decimal, binary columns (geometries, as WKB) bytes.
    """

    def __init__(self, view: Any, path: Optional[str] = None, padding: bool = False) -> None:
        self._view, self._path, self._padding = view, path, padding

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _native.stream(self._view, self._path, self._padding)

    @property
    def columns(self) -> List[str]:
        return [f[0] for f in _native.cursor_fields(_native.cursor(self._view, self._path, self._padding))]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        cursor = _native.cursor(self._view, self._path, self._padding)
        fields = _native.cursor_fields(cursor)
        names, converters = [f[0] for f in fields], [_converter(f) for f in fields]
        while True:
            batch = _native.cursor_batch(cursor)
            if batch is None:
                return
            for i, convert in enumerate(converters):
                if convert:
                    batch[i] = [None if v is None else convert(v) for v in batch[i]]
            for values in zip(*batch):
                if _native.closed_rows(cursor):
                    raise ValueError("the dataset is closed")
                yield dict(zip(names, values))

    def to_list(self) -> List[Dict[str, Any]]:
        return list(self)

    def to_arrow(self) -> Any:
        """A pyarrow.Table."""
        return _backends.table(self, "pyarrow")

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        return _backends.table(self, "polars")

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        return _backends.table(self, "pandas")

    def __repr__(self) -> str:
        try:
            return "<taco_h.Rows of %s>" % ", ".join(self.columns)
        except ValueError:
            return "<taco_h.Rows, closed>"
