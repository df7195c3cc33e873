"""Tables over grids of points, computed when they are read."""

from __future__ import annotations

import os

from . import _pamela
from ._compiled import Compiled
from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .clusters import Result

__all__ = ["Sweep"]

_FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}


class Sweep:
    """A table of a compiled model's values over a grid.

    Nothing is computed before it is read. It can be read any number of times by any Arrow reader: PyArrow,
    Polars, pandas, DuckDB, DataFusion.

    >>> import pamelaplus as pamela, duckdb
    >>> fast = pamela.Model("numeric parameter P\\nnumeric parameter w\\nnumeric T = w / P").compile()
    >>> grid = fast.sweep(P="2^(0:3)", w=[1, 10])
    >>> duckdb.sql("select w, min(T) as least from grid group by w order by w").fetchall()
    [(1.0, 0.125), (10.0, 1.25)]
    """

    __slots__ = ("_compiled", "_spec", "_sweep", "__weakref__")

    def __init__(self, compiled: Compiled, spec: dict[str, Any], inner: _pamela.Sweep) -> None:
        self._compiled = compiled
        self._spec = spec
        self._sweep = inner

    @classmethod
    def _of(
        cls,
        compiled: Compiled,
        values: dict[str, Any],
        zipped: bool | Sequence[Sequence[str]],
        conditions: list[str],
        quantiles: list[float],
        regimes: bool,
        threads: int,
    ) -> Sweep:
        given = [(name, _values(compiled._compiled, name, value)) for name, value in values.items()]
        groups = [[name for name, _ in given]] if zipped is True else [list(group) for group in zipped or ()]
        spec = {
            "given": given,
            "zipped": groups,
            "conditions": conditions,
            "quantiles": quantiles,
            "regimes": regimes,
            "threads": threads,
        }
        return cls._made(compiled, spec)

    @classmethod
    def _made(cls, compiled: Compiled, spec: dict[str, Any]) -> Sweep:
        return cls(compiled, spec, _pamela.Sweep(compiled._compiled, **spec))

    def _with(self, **changes: Any) -> Sweep:
        start, end = self._sweep.range
        other = Sweep._made(self._compiled, {**self._spec, **changes})
        other._sweep = other._sweep.part(start, end)
        return other

    def _part(self, start: int, end: int) -> Sweep:
        return Sweep(self._compiled, self._spec, self._sweep.part(start, end))

    def __len__(self) -> int:
        """Number of points of the grid, before any condition."""
        start, end = self._sweep.range
        return end - start

    @property
    def columns(self) -> list[str]:
        """The names of the columns: parameters, values, and notes.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:3").columns
        ['n', 'T', 'note']
        """
        return self._sweep.columns

    def where(self, *conditions: str) -> Sweep:
        """Keep the points where these conditions on parameters and values hold.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2").compile().sweep(n="1:9")
        >>> grid.where("T > 50", "n < 9").to_numpy()["n"]
        array([8.])
        """
        return self._with(conditions=[*self._spec["conditions"], *conditions])

    def shard(self, number: int, of: int) -> Sweep:
        """Return part ``number``, from 1; all parts in order are the whole table.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:10")
        >>> [len(grid.shard(k, 3)) for k in (1, 2, 3)]
        [3, 3, 4]
        """
        if not 1 <= number <= of:
            raise PamelaError(f"there is no part {number} of {of}: parts are counted from 1")
        start, end = self._sweep.range
        cuts = [start + (end - start) * k // of for k in (number - 1, number)]
        return self._part(*cuts)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._sweep.stream()

    def __iter__(self) -> Iterator[Any]:
        """Iterate over PyArrow record batches."""
        import pyarrow

        return iter(pyarrow.RecordBatchReader.from_stream(self))

    def to_numpy(self) -> dict[str, Any]:
        """The number columns as arrays; missing values are NaN."""
        return self._sweep.arrays()[0]

    @property
    def notes(self) -> list[tuple[int, str]]:
        """Notes about points, each with its row number; reading them computes the values."""
        return self._sweep.arrays()[1]

    def to_pyarrow(self) -> Any:
        """Compute a PyArrow table."""
        from ._frames import to_pyarrow

        return to_pyarrow(self)

    def to_polars(self) -> Any:
        """Compute a Polars frame."""
        from ._frames import to_polars

        return to_polars(self)

    def to_pandas(self) -> Any:
        """Compute a pandas frame of the number columns."""
        import pandas

        return pandas.DataFrame(self.to_numpy())

    def to_xarray(self) -> Any:
        """Compute an xarray dataset with the axes as coordinates; only for a whole grid.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = a * b").compile()
        >>> data = fast.sweep(a="1:3", b=[1, 10]).to_xarray()
        >>> float(data["T"].sel(a=2, b=10))
        20.0
        """
        import xarray

        axes = self._sweep.axes
        whole = 1
        for axis in axes:
            whole *= len(axis[0][1])
        if not self._sweep.is_unfiltered or whole != len(self):
            raise PamelaError("only a whole grid becomes a dataset: this is a part of one; to_pandas() gives its rows")
        arrays = self.to_numpy()
        names = [axis[0][0] for axis in axes]
        shape = [len(axis[0][1]) for axis in axes]
        values = {name: (names, arrays[name].reshape(shape)) for name in self._sweep.values}
        coordinates = {name: (axis[0][0], list(own)) for axis in axes for name, own in axis}
        return xarray.Dataset(values, coordinates, attrs=dict(self._sweep.constants))

    def write(self, path: str | os.PathLike[str], *, format: str | None = None, resume: bool = False) -> None:
        """Write the table to a file; the name decides: .csv, .jsonl, .parquet or .arrow.

        With ``resume=True``, continue an unfinished text file; its complete rows stay.

        >>> import pamelaplus as pamela, pathlib, tempfile
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n / 4").compile().sweep(n="1:2")
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     grid.write(pathlib.Path(directory, "table.csv"))
        ...     print(pathlib.Path(directory, "table.csv").read_text())
        n,T,regime,note
        1,0.25,,
        2,0.5,,
        <BLANKLINE>
        """
        path = os.fspath(path)
        known = format or _FORMATS.get(os.path.splitext(path)[1].lower())
        if known is None or known not in _FORMATS.values():
            raise PamelaError(f"the format of `{path}` cannot be told; there are .csv, .jsonl, .parquet and .arrow")
        self._sweep.write(path, known, resume)

    def summary(self, *figures: str, by: str | Sequence[str] = ()) -> dict[str, Any]:
        """Aggregate each value column in each group.

        The aggregates are ``min``, ``max``, ``mean``, ``sum``, ``count``, ``argmin`` and ``argmax``. Sums are
        exact before rounding, so results do not depend on how the points are divided.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2").compile().sweep(n="-2:3")
        >>> {name: float(column[0]) for name, column in grid.summary("min", "argmin", "mean").items()}
        {'T_min': 0.0, 'T_argmin_n': 0.0, 'T_mean': 3.1666666666666665}
        """
        groups = [by] if isinstance(by, str) else list(by)
        return self._figures([self._sweep.summarised(groups)], figures)

    def _figures(self, parts: Sequence[bytes], figures: Sequence[str]) -> dict[str, Any]:
        import numpy as np

        names, rows = self._sweep.figures(list(parts), list(figures) or ["min", "max", "mean"])
        table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
        return {name: table[:, place] for place, name in enumerate(names)}

    def top(self, count: int, by: str) -> dict[str, Any]:
        """Return the rows with the greatest values of a column; ``"-T"`` means the least.

        The best row is first; ties keep their order. Only number columns are returned.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = (n - 4) ^ 2").compile().sweep(n="1:9")
        >>> grid.top(2, by="-T")["n"]
        array([4., 3.])
        """
        best = self._sweep.best(count, by.removeprefix("-"), by.startswith("-"))
        return self._rows([point for _, point in best])

    def _rows(self, points: Sequence[int]) -> dict[str, Any]:
        import numpy as np

        rows = [self._sweep.part(point, point + 1).arrays()[0] for point in points]
        names = self._sweep.parameters + self._sweep.values
        return {name: np.array([row[name][0] for row in rows]) for name in names}

    def run_on(
        self,
        engine: Any,
        *,
        to: str | os.PathLike[str] | None = None,
        aggregate: Sequence[str] = (),
        by: str | Sequence[str] = (),
        parts: int | None = None,
    ) -> Result:
        """Compute the table on an engine.

        An engine is ``"dask://host:8786"``, a Dask client, or any ``concurrent.futures.Executor``. See
        :mod:`pamelaplus.clusters`.

        >>> import pamelaplus as pamela
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:1e5")
        >>> with ThreadPoolExecutor(2) as engine:
        ...     float(grid.run_on(engine, aggregate=["sum"]).figures["T_sum"][0])
        5000050000.0
        """
        from .clusters import run_on

        return run_on(self, engine, to=to, aggregate=aggregate, by=by, parts=parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self._compiled, self._spec, self._sweep.range))

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} points: {', '.join(self.columns)}>"


def _again(compiled: Compiled, spec: dict[str, Any], span: tuple[int, int]) -> Sweep:
    return Sweep._made(compiled, spec)._part(*span)


def _values(subject: _pamela.Compiled | _pamela.Model, name: str, value: Any) -> Any:
    """Convert to a text, a number, or a list of floats, in the unit of the parameter."""
    if isinstance(value, (int, float)):
        return value
    from ._arrays import doubles, is_one
    from ._units import plain

    value = plain(subject, name, value)
    if is_one(value):
        return value
    array = doubles(name, value)
    if array.ndim != 1:
        raise PamelaError(f"`{name}` is an array of {array.ndim} dimensions: the values of an axis have one")
    if not len(array):
        raise PamelaError(f"`{name}` has no value")
    return array.tolist()


Sweep.__module__ = "pamelaplus"
