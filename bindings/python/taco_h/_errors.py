"""Exceptions. Every failure of the library is a TacoError with a code and, where it has a place in a file or a text, an
offset. The classes have the names of tacoreader's, so that handlers stay as they are."""
from typing import Dict, Optional, Type


class TacoError(Exception):
    """A failure: str(e) is one line that says where and what.

    code: "corrupt", "truncated", "not found", ... (taco_status_name of taco_parquet.h); "" for failures of this package.
    offset: byte of the file, or column of the text (a predicate, SQL, JSON); None where there is no such place.
    """

    code = ""  # type: str
    offset = None  # type: Optional[int]


class TacoFormatError(TacoError):
    """The file is damaged, cut, or of a kind that is not read."""


class TacoSchemaError(TacoError):
    """Datasets or columns do not fit together."""


class TacoIOError(TacoError):
    """A file does not exist, or reading or writing failed."""


class TacoQueryError(TacoError):
    """The query is wrong: a level, a column, the text of a predicate."""


class TacoNavigationError(TacoError):
    """There is no such sample."""


class TacoBackendError(TacoError):
    """A package for tables (pyarrow, polars, pandas) is missing or not known."""


class TacoLimitError(TacoError):
    """More memory is wanted than a handle may use."""


class TacoWarning(UserWarning):
    """What is unusual, but was read."""


_classes = {
    "argument": TacoQueryError,
    "state": TacoQueryError,
    "syntax": TacoQueryError,
    "type": TacoQueryError,
    "limit": TacoLimitError,
    "io": TacoIOError,
    "truncated": TacoFormatError,
    "corrupt": TacoFormatError,
    "checksum": TacoFormatError,
    "unsupported": TacoFormatError,
}  # type: Dict[str, Type[TacoError]]


_missing = {"file": TacoIOError, "column": TacoQueryError, "sample": TacoNavigationError}  # type: Dict[str, Type[TacoError]]


def from_library(code: str, missing: str, text: str, offset: Optional[int]) -> TacoError:
    """What the native module calls to make an exception. missing: what is not there, where something is not."""
    e = (_missing[missing] if code == "not found" else _classes.get(code, TacoError))(text)
    e.code, e.offset = code, offset
    return e
