"""Tables of samples that can be navigated: data, and the tables that read() returns for a FOLDER."""
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

from . import _backends
from ._errors import TacoNavigationError

if TYPE_CHECKING:
    from ._dataset import TacoDataset


# what GDAL's path of a URL begins with, as in the library
_VSI = (("s3://", "/vsis3/"), ("gs://", "/vsigs/"), ("az://", "/vsiaz/"), ("azure://", "/vsiaz/"), ("oss://", "/vsioss/"),
        ("swift://", "/vsiswift/"), ("http://", "/vsicurl/http://"), ("https://", "/vsicurl/https://"))


def _gdal_path(href: str) -> str:
    return next((vsi + href[len(url):] for url, vsi in _VSI if href.startswith(url)), href)


def bands(row: Dict[str, Any]) -> Dict[str, str]:
    """The path of each band that a record of a Rasteret collection has."""
    assets = row.get("assets") or {}
    named = assets.items() if isinstance(assets, dict) else assets
    return {str(band): _gdal_path(asset["href"]) for band, asset in named if asset and asset.get("href")}


def as_key(sample_id: str) -> str:
    """An id escaped for a path: a '/' in it, or an '@' at its start, is taken literally (taco_read, taco.h)."""
    key = sample_id.replace("/", "\\/")
    return "\\" + key if key.startswith("@") else key


class TacoDataFrame:
    """A table of the backend with read(). All attributes of the table itself are available, too."""

    def __init__(
        self, data: Any, dataset: "TacoDataset", backend: str, level: int, path: Optional[str], in_order: bool = True
    ) -> None:
        self._data, self._dataset, self._backend, self._level = data, dataset, backend, level
        # path of the FOLDER whose children these are; None for level 0
        self._path = path
        # whether row i is sample i there; false after the table was filtered or sorted
        self._in_order = in_order

    def __len__(self) -> int:
        return self._data.num_rows if self._backend == "pyarrow" else len(self._data)

    def __getitem__(self, key: Any) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._data)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property
    def columns(self) -> List[str]:
        return _backends.column_names(self._data, self._backend)

    @property
    def shape(self) -> Tuple[int, int]:
        return len(self), len(self.columns)

    def head(self, n: int = 5) -> Any:
        return self._data.slice(0, min(n, len(self))) if self._backend == "pyarrow" else self._data.head(n)

    def tail(self, n: int = 5) -> Any:
        return self._data.slice(max(0, len(self) - n)) if self._backend == "pyarrow" else self._data.tail(n)

    def to_arrow(self) -> Any:
        if self._backend == "pyarrow":
            return self._data
        if self._backend == "polars":
            return self._data.to_arrow()
        return _backends.load_package("pyarrow").Table.from_pandas(self._data)

    def to_polars(self) -> Any:
        return self._data if self._backend == "polars" else _backends.load_package("polars").from_arrow(self.to_arrow())

    def to_pandas(self) -> Any:
        return self._data if self._backend == "pandas" else self._data.to_pandas()

    def _position(self, key: Union[int, str]) -> int:
        if isinstance(key, int):
            if 0 <= key < len(self):
                return key
            raise TacoNavigationError("position %d of %d samples" % (key, len(self)))
        ids = _backends.column(self._data, self._backend, "id") if "id" in self.columns else []
        if key in ids:
            return ids.index(key)
        raise TacoNavigationError("no sample %r among these %d" % (key, len(self)))

    def read(self, key: Union[int, str]) -> Union["TacoDataFrame", str, Dict[str, str]]:
        """The path of a FILE for GDAL, or the children of a FOLDER; the paths of a Rasteret record's bands. key: its
        position in the table, or its id."""
        self._dataset._open()
        i = self._position(key)
        row = _backends.row(self._data, self._backend, i)
        if self._dataset.format == "rasteret":
            return bands(row)
        if row["type"] == "FILE":
            return str(row["internal:gdal_vsi"])
        own = "@%d" % i if self._level == 0 and self._in_order else as_key(row["id"])
        path = own if self._path is None else self._path + "/" + own
        return self._dataset._children(row, path, self._level + 1, self._backend)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._data, name)
        if self._backend == "pyarrow" or not callable(found):
            return found

        def call(*args: Any, **kwargs: Any) -> Any:
            made = found(*args, **kwargs)
            if type(made) is not type(self._data):
                return made
            return TacoDataFrame(made, self._dataset, self._backend, self._level, self._path, False)

        return call

    def __repr__(self) -> str:
        return "%s\n[TacoDataFrame: %d rows, backend=%s]" % (self._data, len(self), self._backend)
