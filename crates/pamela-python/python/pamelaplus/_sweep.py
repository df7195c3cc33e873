"""Tables over grids of points, computed when they are read."""

from __future__ import annotations

import os

from . import _pamela
from ._compiled import Compiled
from ._errors import PamelaError
from ._same import Same
from ._table import Table
from ._units import axis_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .clusters import Result, Running

__all__ = ["Sweep"]

#: Most points that a notebook computes to show the first rows.
_SHOWN = 1 << 16
_FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}


class Sweep(Same):
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
        given = [(name, axis_values(compiled._compiled, name, value)) for name, value in values.items()]
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

    def __getitem__(self, name: str) -> Any:
        """Compute one number column.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile().sweep(n="1:3")["T"]
        array([2., 4., 6.])
        """
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns)}")
        found = self.to_numpy()
        return found[name] if name in found else self._columns()[name]

    def head(self, count: int = 5) -> Table:
        """Compute the first rows.

        Parameters
        ----------
        count
            Number of rows.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.sweep(n="1:1e12").where("n > 5").head(2)["T"]
        array([12., 14.])
        """
        return self._head(count, len(self))

    def _head(self, count: int, most: int) -> Table:
        """The first rows, of the first ``most`` points."""
        import numpy as np

        start, end = self._sweep.range
        end = min(end, start + most)
        found: list[Table] = []
        rows, size = 0, max(count, 1024)
        while start < end and (rows < count or not found):
            found.append(self._part(start, min(end, start + size))._columns())
            rows += found[-1].rows
            # A condition may leave few points.
            start, size = start + size, min(size * 2, 1 << 20)
        if not found:
            return self._columns()
        return Table({name: np.concatenate([table[name] for table in found])[:count] for name in found[0]})

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

        Parameters
        ----------
        *conditions
            Texts such as ``"T > 50"``.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2").compile().sweep(n="1:9")
        >>> grid.where("T > 50", "n < 9").to_numpy()["n"]
        array([8.])
        """
        return self._with(conditions=[*self._spec["conditions"], *conditions])

    def shard(self, number: int, of: int) -> Sweep:
        """Return part ``number``, from 1; all parts in order are the whole table.

        Parameters
        ----------
        number
            Number of the part.
        of
            Number of parts.

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
        """The number columns as arrays; missing values are NaN.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.sweep(n="1:2").to_numpy()["T"].tolist()
        [2.0, 4.0]
        """
        return self._sweep.arrays()[0]

    def _columns(self) -> Table:
        """All columns, texts as objects."""
        import numpy as np

        numbers, notes, texts = self._sweep.arrays(True)
        found = Table(numbers)
        for name, places, distinct in texts:
            found[name] = np.array([*distinct, None], dtype=object)[places]
        rows = len(next(iter(found.values()))) if found else len(self)
        found["note"] = np.full(rows, None, dtype=object)
        for place, note in notes:
            found["note"][place] = note
        return found

    @property
    def notes(self) -> list[tuple[int, str]]:
        """Notes about points, each with its row number; reading them computes the values."""
        return self._sweep.arrays()[1]

    def to_pyarrow(self) -> Any:
        """Compute a PyArrow table.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.sweep(n="1:2").to_pyarrow()["T"].to_pylist()
        [2.0, 4.0]
        """
        from ._frames import to_pyarrow

        return to_pyarrow(self)

    def to_polars(self) -> Any:
        """Compute a Polars frame.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.sweep(n="1:2").to_polars()["T"].to_list()
        [2.0, 4.0]
        """
        from ._frames import to_polars

        return to_polars(self)

    def to_pandas(self) -> Any:
        """Compute a pandas frame of all columns; regimes and methods of laws are categories.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = max(n, 2)").compile()
        >>> fast.sweep(n="1:3", regimes=True).to_pandas()["regime"].tolist()
        ['n <= 2', 'n <= 2', 'n >= 2']
        """
        import pandas

        numbers, notes, texts = self._sweep.arrays(True)
        frame = pandas.DataFrame(numbers)
        for name, places, distinct in texts:
            frame[name] = pandas.Categorical.from_codes(places, categories=list(distinct))
        column: list[str | None] = [None] * len(frame)
        for place, note in notes:
            column[place] = note
        frame["note"] = pandas.Series(column, index=frame.index, dtype=object)
        return frame

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

        Parameters
        ----------
        path
            Name of the file, also one that fsspec opens, such as ``s3://bucket/table.parquet``.
        format
            ``"csv"``, ``"jsonl"``, ``"parquet"`` or ``"arrow"``, whatever the name is.
        resume
            Continue a text file.

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
        if "://" not in path:
            self._sweep.write(path, known, resume)
        elif resume:
            raise PamelaError(f"`{path}` cannot be continued: a text file on this machine can")
        else:
            from ._remote import write

            write(path, lambda own: self._sweep.write(own, known, False))

    def summary(self, *figures: str, by: str | Sequence[str] = ()) -> Table:
        """Aggregate each value column in each group.

        Sums are exact before rounding, so results do not depend on how the points are divided.

        Parameters
        ----------
        *figures
            ``min``, ``max``, ``mean``, ``sum``, ``count``, ``argmin``, ``argmax``, ``std`` or ``median``. The standard
            deviation has the divisor n. ``std`` computes the points a second time, and ``median`` four times more.
        by
            Parameters whose values make the groups.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2").compile().sweep(n="-2:3")
        >>> {name: float(column[0]) for name, column in grid.summary("min", "argmin", "mean", "median").items()}
        {'T_min': 0.0, 'T_argmin_n': 0.0, 'T_mean': 3.1666666666666665, 'T_median': 2.5}
        """
        from ._figures import one_pass

        groups = [by] if isinstance(by, str) else list(by)
        run = lambda kind, needs: one_pass(self._sweep, kind, needs, groups)  # noqa: E731
        return self._summed([self._sweep.summarised(groups)], figures, groups, run)

    def _summed(self, parts: Sequence[bytes], figures: Sequence[str], by: list[str], run: Any) -> Table:
        """Figures of the summaries of all parts; ``run`` computes a pass over the points."""
        from ._figures import further, named

        theirs, own = named(figures)
        if not own:
            return self._figures(parts, figures)
        means = self._figures(parts, ["mean", "count"])
        found = {**(self._figures(parts, theirs) if theirs else {}), **further(own, by, self._sweep.values, means, run)}
        return Table({name: means[name] for name in by} | found)

    def _figures(self, parts: Sequence[bytes], figures: Sequence[str]) -> Table:
        import numpy as np

        names, rows = self._sweep.figures(list(parts), list(figures) or ["min", "max", "mean"])
        table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
        return Table({name: table[:, place] for place, name in enumerate(names)})

    def histogram(
        self, name: str, bins: Any = 10, range: tuple[float, float] | None = None, *, engine: Any = None
    ) -> tuple[Any, Any]:
        """Count the values of a column in bins; return the counts and the edges, like ``numpy.histogram``.

        Parameters
        ----------
        name
            A value column.
        bins
            Number of bins, or their edges.
        range
            Least and greatest edge; those of the values without it.
        engine
            Where to compute, see :meth:`run_on`.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:100")
        >>> counts, edges = grid.histogram("T", bins=4)
        >>> counts.tolist(), edges.tolist()
        ([25, 25, 25, 25], [1.0, 25.75, 50.5, 75.25, 100.0])
        """
        from ._figures import histogram

        return histogram(self, name, bins, range, engine)

    def top(self, count: int, by: str, *, engine: Any = None) -> Table:
        """Return the rows with the greatest values of a column; ``"-T"`` means the least.

        The best row is first; ties keep their order. Only number columns are returned.

        Parameters
        ----------
        count
            Number of rows.
        by
            A value column, with ``-`` in front for the least values.
        engine
            Where to compute, see :meth:`run_on`.

        >>> import pamelaplus as pamela
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = (n - 4) ^ 2").compile().sweep(n="1:9")
        >>> grid.top(2, by="-T")["n"]
        array([4., 3.])
        """
        column, smallest = by.removeprefix("-"), by.startswith("-")
        if engine is None:
            best = self._sweep.best(count, column, smallest)
        else:
            from .clusters import best_points

            best = best_points(self, engine, count, column, smallest)
        return self._rows([point for _, point in best])

    def _rows(self, points: Sequence[int]) -> Table:
        import numpy as np

        rows = [self._sweep.part(point, point + 1).arrays()[0] for point in points]
        names = self._sweep.parameters + self._sweep.values
        return Table({name: np.array([row[name][0] for row in rows]) for name in names})

    def run_on(
        self,
        engine: Any,
        *,
        to: str | os.PathLike[str] | None = None,
        aggregate: Sequence[str] = (),
        by: str | Sequence[str] = (),
        parts: int | None = None,
    ) -> Result:
        """Compute the table, or figures of it, on an engine. See :mod:`pamelaplus.clusters`.

        Parameters
        ----------
        engine
            A Dask client, the address of a Dask scheduler such as ``"dask://host:8786"`` or ``"tls://host:8786"``, or any
            ``concurrent.futures.Executor``.
        to
            Directory of the parts of the table, which all machines see, or a path of fsspec such as ``s3://bucket/study``.
        aggregate
            Figures as in :meth:`summary`, in place of a table.
        by
            Parameters whose values make the groups of figures.
        parts
            Number of parts.

        >>> import pamelaplus as pamela
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:1e5")
        >>> with ThreadPoolExecutor(2) as engine:
        ...     float(grid.run_on(engine, aggregate=["sum"]).figures["T_sum"][0])
        5000050000.0
        """
        return self.submit(engine, to=to, aggregate=aggregate, by=by, parts=parts).result()

    def submit(
        self,
        engine: Any,
        *,
        to: str | os.PathLike[str] | None = None,
        aggregate: Sequence[str] = (),
        by: str | Sequence[str] = (),
        parts: int | None = None,
    ) -> Running:
        """Like :meth:`run_on`, with progress: iterate over the result to see parts as they finish.

        Parameters are those of :meth:`run_on`: ``engine``, ``to``, ``aggregate``, ``by`` and ``parts``.

        >>> import pamelaplus as pamela
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:1e5")
        >>> with ThreadPoolExecutor(2) as engine:
        ...     running = grid.submit(engine, aggregate=["max"], parts=3)
        ...     for part in running:
        ...         pass
        ...     running
        <Running: 3 of 3 parts done>
        """
        from .clusters import submit

        return submit(self, engine, to=to, aggregate=aggregate, by=by, parts=parts)

    def _key(self) -> Any:
        return (self._compiled.dumps(), self._spec, self._sweep.range)

    def _repr_html_(self) -> str:
        return f"<div>{len(self)} points</div>" + self._head(5, _SHOWN)._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self._compiled, self._spec, self._sweep.range))

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} points: {', '.join(self.columns)}>"


def _again(compiled: Compiled, spec: dict[str, Any], span: tuple[int, int]) -> Sweep:
    return Sweep._made(compiled, spec)._part(*span)


Sweep.__module__ = "pamelaplus"
