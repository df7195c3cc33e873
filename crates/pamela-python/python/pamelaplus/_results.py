"""Results: optima, solutions, runs."""

from __future__ import annotations

from ._display import table_html
from ._errors import PamelaError
from ._same import Same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Optimum", "Report", "Solution"]


class Optimum(Same):
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

    @property
    def neighbors(self) -> list[tuple[float, float]]:
        """American spelling of :attr:`neighbours`."""
        return self.neighbours

    def _key(self) -> Any:
        return [getattr(self, name) for name in self.__slots__]

    def _repr_html_(self) -> str:
        place = ", ".join(f"{name} = {value:g}" for name, value in self.at.items())
        return table_html(["best at", "value", "by", "formula"], [[place, self.value, self.certainty, self.argument]])

    def __repr__(self) -> str:
        place = ", ".join(f"{name}={value:g}" for name, value in self.at.items())
        formula = f", at {self.argument}" if self.argument else ""
        return f"<Optimum {self.value:g} at {place} by {self.certainty}{formula}>"


class Solution(Same):
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

    def _key(self) -> Any:
        return self.data

    def _repr_html_(self) -> str:
        if self.cases:
            rows = [(" and ".join(c["when"]), "; ".join(f"{r['from']} .. {r['to']}" for r in c["ranges"])) for c in self.cases]
            return table_html(["where", self.name], rows)
        return table_html(["from", "to"], self.ranges)

    def __repr__(self) -> str:
        return f"<Solution for {self.name}: {self.ranges or self.cases}>"


class Report(Same):
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

    def _key(self) -> Any:
        return (self.data, self.trace)

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


for _class in (Optimum, Report, Solution):
    _class.__module__ = "pamelaplus"
del _class
