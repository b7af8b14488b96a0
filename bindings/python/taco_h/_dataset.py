"""Datasets: open, filter, select, navigate. Names and meanings are those of tacoreader.TacoDataset; filter(where=...),
rows(), payload(), vsi() and info() are new here."""
import datetime
import html
import json
import os
import re
import warnings
import weakref
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _backends, _native
from ._batches import Batches
from ._errors import TacoNavigationError, TacoQueryError, TacoSchemaError, TacoWarning
from ._frame import TacoDataFrame, as_key, bands
from ._rows import Rows
from ._schema import PITSchema

Path = Union[str, "os.PathLike[str]"]
Time = Union[str, datetime.datetime, datetime.date, Tuple[Any, Any]]

_COLUMN_MODES = ("intersection", "fill_missing", "strict")


def _quoted(name: str) -> str:
    return '"%s"' % name.replace('"', '""')


def _day(t: Any) -> str:
    """The UTC day of a datetime; naive ones are in UTC."""
    if isinstance(t, datetime.datetime) and t.tzinfo is not None:
        t = t.astimezone(datetime.timezone.utc)
    return str(t.strftime("%Y-%m-%d")) if hasattr(t, "strftime") else str(t)


def _time_text(time: Optional[Time]) -> Optional[str]:
    if time is None or isinstance(time, str):
        return time
    return "/".join(_day(t) for t in time) if isinstance(time, (tuple, list)) else _day(time)


class TacoDataset:
    """A dataset, possibly filtered. Filters return a new TacoDataset and read nothing; rows are read by data, rows(),
    sql(), iteration, or anything that reads the dataset as an Arrow stream.

    Threads may share a dataset: calls of the library run without the GIL, one at a time for each opened dataset.
    """

    def __init__(
        self, handle: Any, view: Any, paths: List[str], backend: str, base_path: Optional[str], filter_level: int = -1
    ) -> None:
        self._handle, self._view, self._paths = handle, view, paths
        self._dataframe_backend, self._base_path = backend, base_path
        # shared with every dataset filtered from this one
        self._batches = weakref.WeakSet()  # type: weakref.WeakSet[Batches]
        # deepest level with a filter, -1 if there is none
        self._filter_level = filter_level
        self._column_mode = 0
        self._sort = None  # type: Optional[Tuple[str, bool]]
        self._limit = None  # type: Optional[int]
        # a .tortilla has none
        self._stored = json.loads(_native.collection(handle).decode("utf-8") or "{}")  # type: Dict[str, Any]

    def _open(self) -> "TacoDataset":
        if self.closed:
            raise ValueError("the dataset is closed")
        return self

    @property
    def _collection(self) -> Dict[str, Any]:
        return self._open()._stored

    # ---- information ----

    @property
    def collection(self) -> Dict[str, Any]:
        """COLLECTION.json; what a Rasteret collection says about itself; {} for a .tortilla, which has none."""
        return self._collection.copy()

    @property
    def id(self) -> str:
        """The id of the collection, the name of a Rasteret collection; "" for a .tortilla."""
        return str(self._collection.get("id") or self._collection.get("name") or "")

    @property
    def version(self) -> str:
        return str(self._collection.get("dataset_version") or "unknown")

    @property
    def description(self) -> str:
        return str(self._collection.get("description") or "")

    @property
    def title(self) -> Optional[str]:
        return self._collection.get("title")

    @property
    def tasks(self) -> List[str]:
        return list(self._collection.get("tasks") or [])

    @property
    def extent(self) -> Dict[str, Any]:
        return dict(self._collection.get("extent") or {})

    @property
    def providers(self) -> List[Dict[str, Any]]:
        return list(self._collection.get("providers") or [])

    @property
    def licenses(self) -> List[str]:
        return list(self._collection.get("licenses") or [])

    @property
    def curators(self) -> Optional[List[Dict[str, Any]]]:
        return self._collection.get("curators")

    @property
    def keywords(self) -> Optional[List[str]]:
        return self._collection.get("keywords")

    @property
    def field_schema(self) -> Dict[str, Any]:
        return dict(self._collection.get("taco:field_schema") or {})

    @property
    def pit_schema(self) -> PITSchema:
        """The tree; n of its root is the number of samples that pass the filters. Only TACO 2 stores one."""
        if "taco:pit_schema" not in self._collection:
            raise TacoSchemaError("there is no taco:pit_schema in a dataset of the kind %s" % self.format)
        return PITSchema(self._collection.get("taco:pit_schema", {})).with_n(len(self))

    @property
    def levels(self) -> int:
        """Number of levels: the deepest is levels - 1."""
        return int(_native.describe(self._handle)[2])

    @property
    def format(self) -> str:
        """zip, folder or tacocat; tortilla, rasteret, ... for formats other than TACO 2."""
        kind, other, _ = _native.describe(self._handle)
        return str(other or kind)

    def info(self) -> Dict[str, Any]:
        """The output of `taco info --json`."""
        return dict(json.loads(_native.info_json(self._handle)))

    def columns(self, level: int = 0) -> List[str]:
        """The stored columns of a level."""
        return [f[0] for f in _native.level_fields(self._handle, level)]

    def navigation_columns(self, describe: bool = False) -> Union[List[str], Dict[str, str]]:
        """The columns that read() needs."""
        means = {
            "id": "the sample's name among its siblings",
            "type": "FILE or FOLDER",
            "internal:gdal_vsi": "the path that GDAL opens",
            "internal:current_id": "number of the row in its level",
            "internal:parent_id": "internal:current_id of the FOLDER it is in",
        }
        if self.format == "tacocat":
            means["internal:source_file"] = "the archive it is in"
        return {k: means[k] for k in sorted(means)} if describe else sorted(means)

    def verify_rsut(self) -> bool:
        """Whether the children of all samples have the same ids after filtering. PIT-1 promises this for a dataset, but
        filters on deeper levels may change it."""
        if self.levels < 2:
            return True
        key = ['"internal:parent_id"']
        if "internal:source_file" in Rows(_native.view_table(self._view, 1, False)).columns:
            key.append('"internal:source_file"')
        # ids never contain '/'
        children = "SELECT string_agg(id, '/' ORDER BY id) AS ids FROM data GROUP BY " + ", ".join(key)
        query = "SELECT count(DISTINCT ids) AS n FROM (%s) t" % children
        return bool(next(iter(self.rows(query, level=1)))["n"] <= 1)

    def is_rsut(self) -> bool:
        """Returns itself: there is no cache."""
        return self.verify_rsut()

    # ---- filters ----

    def _with(self, view: Any, filter_level: Optional[int] = None) -> "TacoDataset":
        made = TacoDataset(
            self._handle,
            view,
            self._paths,
            self._dataframe_backend,
            self._base_path,
            self._filter_level if filter_level is None else max(filter_level, self._filter_level),
        )
        made._sort, made._limit = self._sort, self._limit
        made._column_mode, made._batches = self._column_mode, self._batches
        return made

    def filter(
        self,
        where: Optional[str] = None,
        bbox: Optional[Sequence[float]] = None,
        time: Optional[Time] = None,
        level: int = 0,
        geometry_column: Optional[str] = None,
        time_column: Optional[str] = None,
        exact_time: bool = False,
    ) -> "TacoDataset":
        """The samples that pass all of these, and any earlier filters.

        where: a predicate, '"stac:cloud_cover" < 10 AND split = \\'train\\''. bbox: west, south, east, north; tested against
        the exact geometry. time: "2023-01-01/2023-03-31", a day, or datetimes: whole UTC days, both included; with
        exact_time instants, of which the second is excluded. level: the level whose rows are tested; filters on several
        levels must hold along one path from parent to child.
        """
        box = None if bbox is None else tuple(float(x) for x in bbox)
        if box is not None and len(box) != 4:
            raise TacoQueryError("bbox: four numbers, west, south, east, north, not %d" % len(box))
        view = _native.view_filter(
            self._view, where, box, _time_text(time), geometry_column, time_column, level, exact_time
        )
        return self._with(view, level)

    def filter_bbox(
        self, minx: float, miny: float, maxx: float, maxy: float, geometry_col: str = "auto", level: int = 0
    ) -> "TacoDataset":
        """The samples whose geometry intersects the box."""
        column = None if geometry_col == "auto" else geometry_col
        return self.filter(bbox=(minx, miny, maxx, maxy), geometry_column=column, level=level)

    def filter_datetime(self, datetime_range: Time, time_col: str = "auto", level: int = 0) -> "TacoDataset":
        """The samples of a day, or of a range of days "A/B", both included, in UTC."""
        column = None if time_col == "auto" else time_col
        return self.filter(time=datetime_range, time_column=column, level=level)

    def sort(self, by: str, descending: bool = False) -> "TacoDataset":
        """Sorts flatten() by one of its columns. Changes this dataset and returns it."""
        self._open()._sort = (by, descending)
        return self

    def limit(self, n: int) -> "TacoDataset":
        """Limits the number of rows that flatten() returns. Changes this dataset and returns it."""
        self._open()._limit = n
        return self

    # ---- rows ----

    def _told(self) -> None:
        """Passes the library's warnings to Python."""
        for text in _native.take_warnings(self._handle):
            warnings.warn(text, TacoWarning, stacklevel=3)

    def rows(
        self, sql: Optional[str] = None, select: Optional[Union[str, Sequence[str]]] = None, level: Optional[int] = None
    ) -> Rows:
        """The rows of level 0 or another level, or of a SELECT, in which `data` is this dataset with its filters.
        select: names of columns; or a string as in the C library, where names that are not words are in double quotes."""
        view = self._open()._view
        if level is not None:
            view = _native.view_table(view, level, False)
        if select is not None:
            view = _native.view_select(view, select if isinstance(select, str) else ", ".join(_quoted(c) for c in select))
        if sql is not None:
            view = _native.view_sql(view, sql)
        return Rows(view)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(Rows(self._view))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _native.stream(self._view, None, False)

    def __len__(self) -> int:
        return int(next(iter(self.rows("SELECT count(*) AS n FROM data")))["n"])

    def _materialize(self, raw: bool) -> TacoDataFrame:
        rows = Rows(self._view)
        names = rows.columns
        if not raw:
            keep = {"internal:gdal_vsi"}
            if self._filter_level > 0:
                keep.update(("internal:current_id", "internal:parent_id"))
                if self.format == "tacocat":
                    keep.add("internal:source_file")
            rows = self.rows(select=[n for n in names if not n.startswith("internal:") or n in keep])
        table = _backends.table(rows, self._dataframe_backend)
        self._told()
        return TacoDataFrame(table, self, self._dataframe_backend, 0, None)

    @property
    def data(self) -> TacoDataFrame:
        """The samples of level 0 as a table; the only internal column is the path for GDAL."""
        return self._materialize(False)

    @property
    def data_raw(self) -> TacoDataFrame:
        """The same, with all columns."""
        return self._materialize(True)

    def sql(self, query: str, backend: Optional[str] = None) -> Any:
        """The result of a SELECT as a table of the backend (pyarrow, polars, pandas). Tables: data, this dataset with its
        filters; level0, level1, ...; l0, l1, ...: FILE rows of a level with the columns of their ancestors, named "l0:id",
        "l1:id" and so on. The path is "internal:gdal_vsi"; "l1:internal:gdal_vsi" is accepted, too."""
        named = re.findall(r'"(l\d+:internal:gdal_vsi)"', query)
        rows = self.rows(re.sub(r'"l\d+:internal:gdal_vsi"', '"internal:gdal_vsi"', query))
        table = _backends.table(rows, backend or self._dataframe_backend)
        self._told()
        if named and "internal:gdal_vsi" in _backends.column_names(table, backend or self._dataframe_backend):
            table = _renamed(table, backend or self._dataframe_backend, "internal:gdal_vsi", named[0])
        return table

    def flatten(self, level: Optional[int] = None) -> Any:
        """The FILEs of a level (None: the deepest) with the columns of their ancestors, and their path as gdal_vsi."""
        view = _native.view_table(self._view, self.levels - 1 if level is None else level, True)
        names = Rows(view).columns
        if self._sort:
            view = _native.view_order(view, _quoted(self._sort[0]) + (" desc" if self._sort[1] else ""))
        if self._limit is not None:
            # 0 means no limit to the library; for no rows at all, start after the last one
            view = _native.view_limit(view, self._limit or 1, 0 if self._limit else 2**64 - 1)
        names = [n for n in names if "internal:" not in n] + ["internal:gdal_vsi"]
        rows = Rows(_native.view_select(view, ", ".join(_quoted(n) for n in names)))
        backend = self._dataframe_backend
        return _renamed(_backends.table(rows, backend), backend, "internal:gdal_vsi", "gdal_vsi")

    # ---- one sample ----

    def read(self, key: Union[int, str]) -> Union[TacoDataFrame, str, Dict[str, str]]:
        """The path of a FILE for GDAL, or the children of a FOLDER; of a record of a Rasteret collection, the path of
        each of its bands, of a sample of TACO 3 that of each of its files (of a sequence a list). key: its position
        among the samples, or its id."""
        if isinstance(key, int):
            view = _native.view_limit(self._view, 1, key) if key >= 0 else None
            path = "@%d" % key
        else:
            view = _native.view_filter(
                self._view, "id = '%s'" % key.replace("'", "''"), None, None, None, None, 0, False
            )
            path = as_key(key)
        row = next(iter(Rows(view)), None) if view else None
        if row is None:
            raise TacoNavigationError("no sample %r" % (key,) if isinstance(key, str) else "no sample at %d" % key)
        if self.format == "rasteret":
            return bands(row)
        if self.format == "taco3":
            return {name[: -len("::location")]: at for name, at in row.items() if name.endswith("::location")}
        if row["type"] == "FILE":
            return str(row["internal:gdal_vsi"])
        return self._children(row, path, 1, self._dataframe_backend)

    def _children(self, row: Dict[str, Any], path: str, level: int, backend: str) -> TacoDataFrame:
        """The children of a row. path: of the FOLDER; level: of the children. If they are filtered, the row must have
        internal:current_id."""
        if level <= self._filter_level:
            view = _native.view_table(self._view, level, False)
            where = '"internal:parent_id" = %d' % row["internal:current_id"]
            if row.get("internal:source_file") is not None:
                where += " AND \"internal:source_file\" = '%s'" % row["internal:source_file"].replace("'", "''")
            rows = Rows(_native.view_filter(view, where, None, None, None, None, level, False))
        else:
            rows = Rows(self._view, path)
        return TacoDataFrame(_backends.table(rows, backend), self, backend, level, path)

    def vsi(self, path: str) -> str:
        """The path for GDAL of a sample, found by ids or @positions as in `taco read`: "tile_07/image" or "@6/@0"."""
        return str(_native.locate(self._handle, path)[0])

    def paths(self) -> List[str]:
        """The paths for GDAL of all samples; of a Rasteret collection those of the files of each record."""
        if self.format == "rasteret":
            # bands may share a file
            return [p for r in self.rows(select=["assets"]) for p in dict.fromkeys(bands(r).values())]
        return [r["internal:gdal_vsi"] for r in self.rows(select=["internal:gdal_vsi"])]

    def payload(self, path: str, offset: int = 0, size: int = -1) -> bytes:
        """The bytes of a FILE (see vsi), or `size` of them from `offset`."""
        return bytes(_native.payload(self._handle, path, offset, size))

    def batches(
        self,
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int = 0,
        rank: int = 0,
        ranks: int = 1,
        where: Optional[str] = None,
        time: Optional[Time] = None,
        level: int = 0,
        decode: Optional[Callable[[List[bytes]], Any]] = None,
    ) -> Batches:
        """Payloads of the FILEs of a level in batches, in an order computed from the seed (see Batches). Each rank reads
        positions rank, rank + ranks, ... of the order. Filter with where and time; the dataset itself must be unfiltered."""
        if self._open()._filter_level >= 0 or self._sort or self._limit is not None:
            raise TacoQueryError("batches() takes its filters as where and time, of a dataset as it was opened")
        made = Batches(
            self._paths, self._column_mode, self._base_path, (where, _time_text(time), level), (shuffle, seed, rank, ranks), batch_size, decode
        )
        return made.closed_with(self._batches)

    # ---- statistics ----

    def _stat(self, name: str, band: Union[int, List[int]], level: int, id: Optional[str]) -> Any:
        if level > 0 and id is None:
            raise TacoQueryError("statistics of level %d want the id of the sample whose children are meant" % level)
        view = self._view
        if level > 0:
            where = "id = '%s'" % str(id).replace("'", "''")
            view = _native.view_filter(view, where, None, None, None, None, level - 1, False)
            view = _native.view_table(view, level, False)
        made = json.loads(_native.stats(view, None, 2 if name == "share" else 1, False))
        values = made[name]
        count = len(values)
        for b in band if isinstance(band, list) else [band]:
            if not 0 <= b < count:
                raise TacoQueryError("band %d of %d" % (b, count))
        nan = float("nan")
        flat = [[nan if x is None else x for x in v] if isinstance(v, list) else nan if v is None else v for v in values]
        chosen = [flat[b] for b in band] if isinstance(band, list) else flat[band]  # type: Any
        try:
            import numpy
        except ImportError:
            return chosen
        return numpy.float32(chosen)

    def stats_mean(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        """Over the pixels of all samples that pass the filters, from the statistics in their rows."""
        return self._stat("mean", band, level, id)

    def stats_std(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        return self._stat("std", band, level, id)

    def stats_min(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        return self._stat("min", band, level, id)

    def stats_max(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        return self._stat("max", band, level, id)

    def stats_p25(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        """The average of the samples' percentiles."""
        return self._stat("p25", band, level, id)

    def stats_p50(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        return self._stat("p50", band, level, id)

    stats_median = stats_p50

    def stats_p75(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        return self._stat("p75", band, level, id)

    def stats_p95(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        return self._stat("p95", band, level, id)

    def stats_categorical(self, band: Union[int, List[int]], level: int = 0, id: Optional[str] = None) -> Any:
        """The share of each class."""
        return self._stat("share", band, level, id)

    # ---- the rest ----

    def close(self) -> None:
        """Closes the files, for this dataset and all that it was filtered from or to. Every later call is a ValueError,
        also of what they made: rows() and iterators in progress, Arrow streams in the hands of another package, read() of
        a table, batches(). Tables, rows and bytes that were returned remain. A call in another thread ends first."""
        _native.close(self._handle)
        for batches in list(self._batches):
            batches.close()

    @property
    def closed(self) -> bool:
        return bool(_native.closed(self._handle))

    def __enter__(self) -> "TacoDataset":
        return self._open()

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def _facts(self) -> List[Tuple[str, str]]:
        """A short description for people."""
        text = self.description if len(self.description) <= 80 else self.description[:80] + "..."
        facts = [("Version", self.version), ("Description", text), ("Tasks", ", ".join(self.tasks))]
        box, times = self.extent.get("spatial"), self.extent.get("temporal")
        # TACO 0.x has lists of boxes and of times, as STAC, of which the first is the whole
        if box and isinstance(box[0], list):
            box = box[0]
        if times and isinstance(times[0], list):
            times = times[0]
        if box:
            facts.append(("Spatial Extent", "[%s]" % ", ".join("%.2f°" % x for x in box)))
        if times:
            facts.append(("Temporal Extent", " → ".join(str(t) for t in times)))
        return [fact for fact in facts if fact[1]]

    def _name(self) -> str:
        """The id; the name of the file where there is none."""
        return self.id or os.path.basename(self._paths[0].rstrip("/"))

    def __repr__(self) -> str:
        if self.closed:
            return "<TacoDataset, closed>"
        lines = ["<TacoDataset '%s'>" % self._name()] + ["├── %s: %s" % fact for fact in self._facts()]
        return "\n".join(lines + ["└── Level 0: %d rows" % len(self)])

    def _repr_html_(self) -> str:
        """The same for notebooks, with the columns of each level."""
        if self.closed:
            return "<b>TacoDataset</b>, closed"
        row = "<tr><th style='text-align:left'>%s</th><td style='text-align:left'>%s</td></tr>"
        parts = ["<b>TacoDataset %s</b>" % html.escape(self._name()), "<table>"]
        parts += [row % (name, html.escape(text)) for name, text in self._facts()]
        parts.append("</table>")
        for level in range(self.levels):
            count = ", %d rows" % len(self) if level == 0 else ""
            told = {f[0]: f[2] for f in self.field_schema.get("level%d" % level, []) if len(f) > 2}
            fields = _native.level_fields(self._handle, level)
            parts.append("<details><summary>Level %d%s, %d columns</summary><table>" % (level, count, len(fields)))
            for field in fields:
                text = "%s %s" % (field[1], told.get(field[0]) or "")
                parts.append(row % (html.escape(field[0]), html.escape(text.strip())))
            parts.append("</table></details>")
        return "".join(parts)


def _renamed(table: Any, backend: str, old: str, new: str) -> Any:
    if backend == "pyarrow":
        return table.rename_columns([new if n == old else n for n in table.column_names])
    return table.rename({old: new}) if backend == "polars" else table.rename(columns={old: new})


def open_paths(
    paths: Sequence[Path], base_path: Optional[Path], backend: str, column_mode: str = "intersection"
) -> TacoDataset:
    if column_mode not in _COLUMN_MODES:
        raise TacoQueryError("column_mode is one of %s, not %r" % (", ".join(_COLUMN_MODES), column_mode))
    if backend not in _backends.BACKENDS:
        _backends.load_package(backend)
    names = [os.fspath(p) for p in paths]
    base = None if base_path is None else os.fspath(base_path)
    handle = _native.open(tuple(names), _COLUMN_MODES.index(column_mode), base)
    made = TacoDataset(handle, _native.view(handle), names, backend, base)
    made._column_mode = _COLUMN_MODES.index(column_mode)
    made._told()
    return made
