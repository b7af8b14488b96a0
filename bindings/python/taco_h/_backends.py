"""Tables of other packages: pyarrow, polars and pandas, each imported on first use. They read rows from the library
through an Arrow C stream, without copying."""
import ctypes
import importlib
from typing import Any, Dict, List

from ._errors import TacoBackendError

BACKENDS = ("pyarrow", "polars", "pandas")


def load_package(name: str) -> Any:
    if name not in BACKENDS:
        raise TacoBackendError("no backend %r: there are %s" % (name, ", ".join(BACKENDS)))
    try:
        return importlib.import_module(name)
    except ImportError:
        raise TacoBackendError(
            "%s is not installed: pip install %s, taco_h.use(...) another of %s, or iterate over rows()"
            % (name, name, ", ".join(b for b in BACKENDS if b != name))
        )


def arrow_table(rows: Any) -> Any:
    """A pyarrow.Table from anything with __arrow_c_stream__."""
    pa = load_package("pyarrow")
    if hasattr(pa.RecordBatchReader, "from_stream"):
        return pa.RecordBatchReader.from_stream(rows).read_all()
    # before pyarrow 14: import from the address in the capsule; the reader moves the stream out
    capsule = rows.__arrow_c_stream__()
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pa.RecordBatchReader._import_from_c(address(capsule, b"arrow_array_stream")).read_all()


def table(rows: Any, backend: str) -> Any:
    """The rows as a table of the backend."""
    if backend == "polars":
        return load_package("polars").DataFrame(rows)
    if backend == "pandas":
        load_package("pandas")
    got = arrow_table(rows) if backend in ("pyarrow", "pandas") else load_package(backend)
    return got.to_pandas() if backend == "pandas" else got


def column_names(data: Any, backend: str) -> List[str]:
    return list(data.column_names if backend == "pyarrow" else data.columns)


def row(data: Any, backend: str, i: int) -> Dict[str, Any]:
    if backend == "pyarrow":
        return {name: values[0] for name, values in data.slice(i, 1).to_pydict().items()}
    return dict(data.row(i, named=True) if backend == "polars" else data.iloc[i].to_dict())


def column(data: Any, backend: str, name: str) -> List[Any]:
    if backend == "pyarrow":
        return list(data.column(name).to_pylist())
    return list(data[name].to_list() if backend == "polars" else data[name].tolist())
