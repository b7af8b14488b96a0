"""Exceptions. Every failure of the library is a TacoError with a code and, if it has a position in a file or a text, an
offset. The classes have the names of tacoreader's, so that existing handlers keep working."""
from typing import Dict, Optional, Type


class TacoError(Exception):
    """A failure: str(e) is one line with the place and the cause.

    code: "corrupt", "truncated", "not found", ... (taco_status_name of taco_parquet.h); "" for failures of this package.
    offset: byte of the file, or column of the text (a predicate, SQL, JSON); None if there is none.
    """

    code = ""  # type: str
    offset = None  # type: Optional[int]


class TacoFormatError(TacoError):
    """The file is damaged, truncated, or of an unsupported kind."""


class TacoSchemaError(TacoError):
    """Datasets or columns are not compatible."""


class TacoIOError(TacoError):
    """A file does not exist, or reading or writing failed."""


class TacoQueryError(TacoError):
    """The query is invalid: a level, a column, the syntax of a predicate."""


class TacoNavigationError(TacoError):
    """There is no such sample."""


class TacoBackendError(TacoError):
    """A package for tables (pyarrow, polars, pandas) is missing or unknown."""


class TacoLimitError(TacoError):
    """The operation needs more memory than a handle may use."""


class TacoWarning(UserWarning):
    """Something unusual that was read nevertheless."""


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
    """Makes an exception for the native module. missing: what "not found" refers to."""
    e = (_missing[missing] if code == "not found" else _classes.get(code, TacoError))(text)
    e.code, e.offset = code, offset
    return e
