"""Results: optima, pictures, runs, fits."""

from __future__ import annotations

import os

from . import _pamela
from ._display import table_html
from ._errors import PamelaError
from ._options import as_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._model import Model

__all__ = ["Calibration", "Fit", "Optimum", "Picture", "Prediction", "Report"]


class Optimum:
    """The parameters at which a value is best, and the evidence that no other point is better.

    >>> import pamelaplus as pamela
    >>> fast = pamela.Model("numeric parameter P : integer >= 1\\nnumeric T = 100 / P + 4 * P").compile()
    >>> best = fast.optimise(over={"P": "1:1000"}, minimise="T")
    >>> best.at, best.value, best.certainty
    ({'P': 5.0}, 40.0, 'every point')
    """

    __slots__ = ("at", "value", "certainty", "points", "neighbours", "kind", "argument", "bound")

    at: dict[str, float]
    """Parameters of the best point; the first one if several points tie."""
    value: float
    """Value at the best point, as the nearest double."""
    certainty: str
    """Why no other point is better. ``every point``: all points were evaluated. ``shape``: the closed form is convex, or
    concave for a maximum. ``enclosure``: bounds of the closed form over the interval exclude a better value. ``bounds``:
    a better value may exist, up to :attr:`bound`."""
    points: int
    """Number of points or boxes that were evaluated."""
    neighbours: list[tuple[float, float]]
    """Values at the neighbouring points, for a search over one parameter."""
    kind: str | None
    """Kind of the best point, for a search over one parameter: ``stationary`` where the slope is 0, a ``crossing`` of
    regimes, or an ``end`` of the range."""
    argument: str | None
    """Formula of the location next to the best number, in the language."""
    bound: float | None
    """Bound on every value in the interval; None if every point was evaluated."""

    def __init__(
        self,
        at: list[tuple[str, float]],
        value: float,
        certainty: str,
        points: int,
        neighbours: list[tuple[float, float]],
        argument: tuple[str, str | None] | None,
        bound: float | None = None,
    ) -> None:
        self.at = dict(at)
        self.value = value
        self.certainty = certainty
        self.points = points
        self.neighbours = neighbours
        self.kind, self.argument = argument or (None, None)
        self.bound = bound

    def __repr__(self) -> str:
        place = ", ".join(f"{name}={value:g}" for name, value in self.at.items())
        formula = f", at {self.argument}" if self.argument else ""
        return f"<Optimum {self.value:g} at {place} by {self.certainty}{formula}>"


class Solution:
    """All values of a parameter for which a condition holds.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter P : integer >= 1\\nnumeric parameter a : > 0\\nnumeric T = a * P")
    >>> model.solve("T <= x", "P").cases
    [{'when': [], 'ranges': [{'from': None, 'to': 'x div a'}]}]
    """

    __slots__ = ("data", "name", "ranges", "cases", "edges", "certain")

    data: dict[str, Any]
    """The answer as ``pamela solve --json`` prints it."""
    name: str
    """The parameter."""
    ranges: list[tuple[float | None, float | None]]
    """First and last value of each range; None if there is none. Empty for an answer in symbols."""
    cases: list[dict[str, Any]]
    """For an answer in symbols: conditions (``when``), and ranges as formulas (``from``, ``to``)."""
    edges: list[dict[str, Any]]
    """The compared values at the ends of ranges and beside them."""
    certain: bool
    """False if random times are evaluated numerically in the condition."""

    def __init__(self, text: str) -> None:
        import json

        self.data = json.loads(text)
        self.name = self.data["for"]
        self.ranges = [(first, last) for first, last in self.data.get("ranges", [])]
        self.cases = self.data.get("cases", [])
        self.edges = self.data.get("edges", [])
        self.certain = self.data["certain"]

    def __repr__(self) -> str:
        return f"<Solution for {self.name}: {self.ranges or self.cases}>"


class Picture:
    """A picture; a notebook shows it as SVG.

    >>> import pamelaplus as pamela
    >>> fast = pamela.Model("numeric parameter P\\nnumeric T = 100 / P").compile()
    >>> fast.plot(P="1:16").svg[:4]
    '<svg'
    """

    __slots__ = ("_picture",)

    def __init__(self, inner: _pamela.Picture) -> None:
        self._picture = inner

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._picture.svg

    @property
    def png(self) -> bytes:
        """The picture as PNG."""
        return self._picture.png

    @property
    def pdf(self) -> bytes:
        """The picture as PDF."""
        return self._picture.pdf

    @property
    def vega_lite(self) -> dict[str, Any]:
        """The picture for Vega-Lite; ``altair.Chart.from_dict`` opens it."""
        import json

        return json.loads(self._picture.vega_lite)  # type: ignore[no-any-return]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file; the name decides: .svg, .pdf, .png, or .json for Vega-Lite.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter P\\nnumeric T = P").compile().plot(P="1:9").save("picture.txt")
        Traceback (most recent call last):
            ...
        pamelaplus.PamelaError: no picture is written to `picture.txt`: there are .svg, .pdf, .png and .json
        """
        path = os.fspath(path)
        ending = os.path.splitext(path)[1].lower()
        if ending == ".svg":
            content = self.svg.encode()
        elif ending == ".pdf":
            content = self.pdf
        elif ending == ".png":
            content = self.png
        elif ending == ".json":
            content = self._picture.vega_lite.encode()
        else:
            raise PamelaError(f"no picture is written to `{path}`: there are .svg, .pdf, .png and .json")
        with open(path, "wb") as file:
            file.write(content)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        """The picture as text, for terminals."""
        return self._picture.text(100, 30)


class Report:
    """Results of a simulation over all replications.

    >>> import pamelaplus as pamela
    >>> report = pamela.Model("process main = seq (i = 1, 10) delay(3)").simulate()
    >>> report.mean, report.interval, report.complete
    (30.0, (30.0, 30.0), True)
    """

    __slots__ = ("data", "trace")

    data: dict[str, Any]
    """The complete result, as ``pamela simulate --json`` prints it."""
    trace: str | None
    """Trace of the first replication as JSON for Perfetto or Chrome, if requested."""

    def __init__(self, data: dict[str, Any], trace: str | None) -> None:
        self.data = data
        self.trace = trace

    def _main(self) -> dict[str, Any]:
        processes = self.data["processes"]
        if not processes:
            raise PamelaError(f"no replication came to its end: {self.data['end']}")
        return processes[0]  # type: ignore[no-any-return]

    @property
    def mean(self) -> float:
        """Mean time of the simulated process."""
        return float(self._main()["mean"])

    @property
    def interval(self) -> tuple[float, float] | None:
        """Interval of the mean; ``None`` for a single replication if replications differ."""
        interval = self._main().get("interval")
        return (interval[0], interval[1]) if interval else None

    @property
    def processes(self) -> list[dict[str, Any]]:
        """The simulated process, then the processes that it names, each with its mean time."""
        return self.data["processes"]  # type: ignore[no-any-return]

    @property
    def resources(self) -> list[dict[str, Any]]:
        """Visits, utilisation, queue and waiting time of each resource."""
        return self.data["resources"]  # type: ignore[no-any-return]

    @property
    def quantiles(self) -> dict[float, float]:
        """Quantiles of the process time, by probability."""
        return {one["probability"]: one["value"] for one in self.data["quantiles"]}

    @property
    def complete(self) -> bool:
        """True if the simulation ran to its end."""
        return bool(self.data["end"] == "complete")

    @property
    def approximations(self) -> list[str]:
        """Differences between the runs and the model."""
        return self.data["approximations"]  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        tables = []
        for rows in (self.processes, self.resources):
            if rows:
                names = list(dict.fromkeys(name for row in rows for name in row))
                tables.append(table_html(names, ([row.get(name) for name in names] for row in rows)))
        return "".join(tables)

    def __repr__(self) -> str:
        return f"<Report: {self.mean:g}, {self.data['events']} events, {self.data['end']}>"


class Fit:
    """The law of samples.

    >>> import pamelaplus as pamela
    >>> found = pamela.fit([1.0, 2.0, 2.5, 4.0, 7.0, 3.0, 1.5, 2.2], seed=1)
    >>> found.moments["mean"]["value"]
    2.9
    """

    __slots__ = ("data",)

    data: dict[str, Any]
    """The complete result, as ``pamela fit --json`` prints it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def law(self) -> str:
        """The best law as text of the language: a value for :meth:`Model.define`."""
        return str(self.candidates[0]["expression"])

    @property
    def candidates(self) -> list[dict[str, Any]]:
        """Laws with their parameters, best first."""
        return self.data["laws"]  # type: ignore[no-any-return]

    @property
    def goodness(self) -> dict[str, Any]:
        """Goodness of fit of the best law."""
        return self.candidates[0]["goodness"]  # type: ignore[no-any-return]

    @property
    def moments(self) -> dict[str, dict[str, Any]]:
        """Mean, variance, skewness and kurtosis, each with a bootstrap interval."""
        return {moment["name"]: moment for moment in self.data["moments"]}

    def _repr_html_(self) -> str:
        rows = ((one["expression"], one["by"], one["goodness"]) for one in self.candidates)
        return table_html(["law", "by", "goodness"], rows)

    def __repr__(self) -> str:
        return f"<Fit: {self.law}>"


class Calibration:
    """Times of a model's parts, estimated from measured times.

    >>> import pamelaplus as pamela
    >>> text = "numeric parameter n : integer\\nnumeric parameter t : >= 0\\nprocess main = seq (i = 1, n) delay(t)"
    >>> pamela.Model(text).calibrate({"n": [1, 2, 4, 8], "time": [2.0, 4.0, 8.0, 16.0]}).notes
    []
    """

    __slots__ = ("_model", "data", "left_out", "parameters", "table_notes", "values")

    data: dict[str, Any]
    """The complete result, as ``pamela calibrate --json`` prints it."""
    table_notes: list[str]
    """Columns and rows of the table that are not looked at."""
    parameters: str
    """Text of a file for ``--params``: the times, with intervals and errors in comments."""
    left_out: int
    """Number of runs that are left out because they took far longer than the others at their point."""
    values: dict[str, float]
    """The times by parameter name, as keywords of :meth:`Model.define` and :meth:`Compiled.at`. Each time has the unit of
    its parameter, or seconds if the parameter has no unit."""

    def __init__(
        self,
        data: dict[str, Any],
        parameters: str,
        left_out: int,
        values: dict[str, float],
        table_notes: list[str],
        model: Model,
    ) -> None:
        self._model = model
        self.table_notes = table_notes
        self.data = data
        self.parameters = parameters
        self.left_out = left_out
        self.values = values

    @property
    def errors(self) -> dict[str, float]:
        """Relative errors of the fit."""
        return self.data["errors"]  # type: ignore[no-any-return]

    @property
    def held_out(self) -> dict[str, Any] | None:
        """Errors of configurations that were left out, as fractions; none unless ``folds`` or ``hold_out`` is given."""
        return self.data.get("held_out")

    def predict(self, result: str | None = None, /, *, draws: int = 16384, seed: int = 1, **values: Any) -> Prediction:
        """Predict what was measured, or another result, at a point; ``values`` also choose a group.

        The interval of what was measured comes from the errors of configurations that were left out, see ``folds`` and
        ``hold_out`` of :meth:`Model.calibrate`, and from what is not known of the fitted constants.

        >>> import pamelaplus as pamela
        >>> text = "numeric parameter n : integer\\nnumeric parameter t : >= 0\\nprocess main = seq (i = 1, n) delay(t)"
        >>> table = {"n": range(1, 41), "time": [n * (1 + 0.1 * (n % 3 - 1)) for n in range(1, 41)]}
        >>> found = pamela.Model(text).calibrate(table, folds=5).predict(n=100)
        >>> low, high = found.interval(0.9)
        >>> bool(88 < low < found.value < high < 112)
        True
        """
        result = self.data["equation"] if result is None else result
        return self._model.predict(result, fit=self.parameters, draws=draws, seed=seed, **values)

    @property
    def notes(self) -> list[str]:
        """Times that cannot be distinguished, and parts that the measurements lack."""
        return self.data["notes"]  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for time in self.data["times"] for name in time))
        return table_html(names, ([time.get(name) for name in names] for time in self.data["times"]))

    def __repr__(self) -> str:
        return f"<Calibration: {', '.join(f'{name} = {value:g}' for name, value in self.values.items())}>"


class Prediction:
    """A result where some numbers are not known.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric unknown t = uniform(0, 1)\\nnumeric unknown s = uniform(0, 3)\\nnumeric f = s + t")
    >>> found = model.predict("f")
    >>> round(found.mean, 2), round(found.shares["s"], 2)
    (2.0, 0.9)
    """

    __slots__ = ("_asked", "data")

    data: dict[str, Any]
    """The law of the result, as ``pamela eval --json`` prints it; empty if the result is known."""

    def __init__(
        self, model: _pamela.Model, fit: str, values: list[tuple[str, str]], result: str, draws: int, seed: int
    ) -> None:
        self._asked = (model, fit, values, result, draws, seed)
        self.data = self._at(0.9)

    def _at(self, level: float) -> dict[str, Any]:
        import json

        model, fit, values, result, draws, seed = self._asked
        found = json.loads(_pamela.predicted(model, fit, values, [result], level, draws, seed))
        return next(own for own in found if own["name"] == result)  # type: ignore[no-any-return]

    @property
    def value(self) -> float:
        """The value where fitted constants are as found, and other unknown numbers at their medians."""
        return float(self.data["value"])

    @property
    def unit(self) -> str | None:
        """The unit of all values, if the model has units."""
        return self.data["unit"]  # type: ignore[no-any-return]

    @property
    def mean(self) -> float:
        """The mean; the value if it is known."""
        law = self.data["law"]
        return self.value if law is None else float(law["mean"])

    @property
    def sd(self) -> float:
        """The standard deviation; 0 if the value is known."""
        law = self.data["law"]
        return 0.0 if law is None else float(law["sd"])

    @property
    def shares(self) -> dict[str, float]:
        """Total Sobol indices: the share of the variance that each unknown number takes part in."""
        law = self.data["law"]
        return {} if law is None else {own["name"]: own["total"] for own in law.get("shares", [])}

    def interval(self, level: float = 0.9) -> tuple[float, float]:
        """The interval of this probability, with equal ones below and above."""
        law = (self.data if level == 0.9 else self._at(level))["law"]
        return (self.value, self.value) if law is None else (law["interval"]["low"], law["interval"]["high"])

    def __repr__(self) -> str:
        low, high = self.interval()
        return f"<Prediction: {self.value:g}, 90 % in {low:g} .. {high:g}>"


def _cell(value: Any) -> Any:
    """A number as a text that reads back; nothing for what is not a number."""
    if hasattr(value, "__index__") and abs(int(value)) < 2**53:
        return str(int(value))
    if not hasattr(value, "__float__"):
        return value
    number = float(value)
    return repr(number) if number == number else ""


def table_text(table: Any) -> str:
    """Write columns as CSV."""
    import csv
    import io

    if hasattr(table, "to_pydict"):
        # A PyArrow table.
        table = table.to_pydict()
    names = getattr(table, "columns", table)
    if isinstance(table, (str, list, tuple)) or not hasattr(names, "__iter__"):
        raise TypeError(f"a table is a file, a frame or a dict of columns, and this is of type {type(table).__name__}")
    columns = {}
    for name in names:
        if not hasattr(table[name], "__len__"):
            raise TypeError(f"`{name}` is of type {type(table[name]).__name__}: a column is expected")
        columns[str(name)] = list(table[name])
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise PamelaError(f"the columns of a table are of one length, and these are of {sorted(lengths)}")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(_cell(x) for x in row)
    return text.getvalue()


def fit(samples: Any, *, name: str = "x", resamples: int = 1000, seed: int = 1) -> Fit:
    """Fit laws to samples, best first.

    >>> import pamelaplus as pamela
    >>> pamela.fit([1.0, 2.0, 2.5, 4.0, 7.0, 3.0, 1.5, 2.2]).candidates[0]["by"] in ("moments", "maximum likelihood")
    True
    """
    import json

    from ._arrays import doubles

    values = doubles(name, samples).reshape(-1).tolist()
    resamples, seed = as_whole("resamples", resamples, 0, 2**20), as_whole("seed", seed, 0, 2**64 - 1)
    return Fit(json.loads(_pamela.fitted(name, values, resamples, seed)))


for _class in (Calibration, Fit, Optimum, Picture, Prediction, Report, Solution):
    _class.__module__ = "pamelaplus"
del _class
