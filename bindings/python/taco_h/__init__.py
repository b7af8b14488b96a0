"""taco_h - open, filter and write TACO datasets.

    import taco_h

    with taco_h.open("s2.tacozip") as ds:
        here = ds.filter(where="split = 'train'", bbox=(-77.3, -12.3, -76.7, -11.7), time="2023-01-01/2023-03-31")
        for row in here:
            print(row["id"], row["internal:gdal_vsi"])      # the path that GDAL opens
        table = pyarrow.table(here)                         # or polars.DataFrame(here), duckdb.sql("FROM here")

It is built on taco.h, needs no other package, and uses the names of tacoreader: scripts keep working with
`import taco_h as tacoreader`.
"""
import logging
from typing import List, Optional, Union

from . import _native
from ._backends import BACKENDS
from ._batches import Batches
from ._create import Problem, Validation, Writer, create, create_directory, validate
from ._dataset import Path, TacoDataset, open_paths
from ._errors import (
    TacoBackendError,
    TacoError,
    TacoFormatError,
    TacoIOError,
    TacoLimitError,
    TacoNavigationError,
    TacoQueryError,
    TacoSchemaError,
    TacoWarning,
    from_library,
)
from ._frame import TacoDataFrame
from ._rows import Rows
from ._schema import PITSchema

_native.set_failure_factory(from_library)

__version__ = _native.version()  # type: str

_backend = "pyarrow"


def load(
    path: Union[Path, List[Path]],
    base_path: Optional[Path] = None,
    backend: Optional[str] = None,
    cache: bool = True,
    column_mode: str = "intersection",
) -> TacoDataset:
    """Opens a dataset, or a list of them as one.

    path: a .tacozip, a FOLDER, a __TACOCAT__ file or a .tacocat directory, of any generation; also https:// and s3:// if
    parts()["curl"]. base_path: where the archives of a catalogue are, if not beside it. backend: the type of tables that
    data, sql() and flatten() return: pyarrow, polars, pandas. column_mode: how columns of several datasets are combined:
    intersection, fill_missing, strict. cache is ignored, and accepted for compatibility with tacoreader.
    """
    paths = list(path) if isinstance(path, (list, tuple)) else [path]
    if not paths:
        raise TacoQueryError("an empty list of paths")
    return open_paths(paths, base_path, backend or _backend, column_mode)


open = load


def concat(datasets: List[TacoDataset], column_mode: str = "intersection") -> TacoDataset:
    """Several datasets as one, with their rows concatenated. They are reopened, and must not be filtered."""
    if len(datasets) < 2:
        raise TacoQueryError("concat takes at least 2 datasets, not %d" % len(datasets))
    if any(d._open()._filter_level >= 0 for d in datasets):
        raise TacoQueryError("concat takes datasets as they were opened: filter what it returns")
    paths = [p for d in datasets for p in d._paths]  # type: List[Path]
    return open_paths(paths, datasets[0]._base_path, datasets[0]._dataframe_backend, column_mode)


def use(backend: str) -> None:
    """Sets the backend of datasets opened from now on."""
    global _backend
    if backend not in BACKENDS:
        raise TacoBackendError("no backend %r: there are %s" % (backend, ", ".join(BACKENDS)))
    _backend = backend


def get_backend() -> str:
    return _backend


def verbose(level: Union[bool, str] = True) -> None:
    """Sets what datasets opened from now on log to the logger "taco_h": True or "info" for what is opened; "debug" also
    for files, tables and queries; False for nothing. Lines go to standard error if logging has no handler."""
    levels = {True: logging.INFO, "info": logging.INFO, "debug": logging.DEBUG, False: logging.CRITICAL}
    if level not in levels:
        raise ValueError("level is True, False, 'info' or 'debug', not %r" % (level,))
    logger = logging.getLogger("taco_h")
    logger.setLevel(levels[level])
    if level and not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)s [%(name)s] %(message)s"))
        logger.addHandler(handler)
    _native.set_log(_log, {logging.INFO: 1, logging.DEBUG: 2}.get(levels[level], 0))


def _log(level: int, line: str) -> None:
    logging.getLogger("taco_h").log(logging.INFO if level == 1 else logging.DEBUG, "%s", line)


def clear_cache() -> None:
    """Does nothing: there is no cache to clear."""


def parts() -> "dict[str, bool]":
    """The optional parts of this build: brotli (Parquet pages), curl (remote files)."""
    return dict(_native.parts())


__all__ = [
    "Batches",
    "PITSchema",
    "Problem",
    "Rows",
    "TacoBackendError",
    "TacoDataFrame",
    "TacoDataset",
    "TacoError",
    "TacoFormatError",
    "TacoIOError",
    "TacoLimitError",
    "TacoNavigationError",
    "TacoQueryError",
    "TacoSchemaError",
    "TacoWarning",
    "Validation",
    "Writer",
    "clear_cache",
    "concat",
    "create",
    "create_directory",
    "get_backend",
    "load",
    "open",
    "parts",
    "use",
    "validate",
    "verbose",
]
