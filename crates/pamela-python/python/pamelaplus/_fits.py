"""Laws of samples, constants of measured times, and predictions."""

from __future__ import annotations

from . import _pamela
from ._display import table_html
from ._errors import PamelaError
from ._options import as_whole
from ._same import Same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._law import Law
    from ._model import Model

__all__ = ["Calibration", "Fit", "Prediction", "fit"]


class Fit(Same):
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

    def _key(self) -> Any:
        return self.data

    @property
    def law(self) -> Law:
        """The best law: a value for :meth:`Model.define`, and an operand.

        >>> import pamelaplus as pamela
        >>> found = pamela.fit([2.0, 4.0, 4.0, 6.0, 9.0, 3.0, 5.0, 5.0])
        >>> (found.law + 1).mean() == found.law.mean() + 1, found.goodness["fits"], found.warnings
        (True, True, [])
        """
        from ._law import Law

        return Law.from_text(self.text)

    @property
    def text(self) -> str:
        """The best law as text of the language."""
        return str(self.candidates[0]["expression"])

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the best law: it does not fit the samples, or values occur often that no such law repeats.

        >>> import pamelaplus as pamela
        >>> pamela.fit([k / 50 for k in range(50)] + [500 + k / 50 for k in range(50)]).warnings[0][:39]
        'no law of the language fits the samples'
        """
        found = []
        if not self.goodness["fits"]:
            found.append("no law of the language fits the samples: a test rejects the best one; empirical(..) is their own law")
        for atom in self.data["atoms"]:
            found.append(f"{atom['share']:.0%} of the samples are {atom['value']:g}, which a continuous law never repeats")
        return found

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
        return f"<Fit: {self.text}>"


class Calibration(Same):
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

    def _key(self) -> Any:
        return (self.data, self.parameters, self.left_out, self.values, self.table_notes, self._model.text)

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

        Parameters
        ----------
        result
            Name of an equation; what was measured without it.
        draws, seed
            Number of draws of the unknown numbers, and their seed.
        **values
            Values of the parameters.

        >>> import pamelaplus as pamela
        >>> text = "numeric parameter n : integer\\nnumeric parameter t : >= 0\\nprocess main = seq (i = 1, n) delay(t)"
        >>> table = {"n": range(1, 41), "time": [n * (1 + 0.1 * (n % 3 - 1)) for n in range(1, 41)]}
        >>> found = pamela.Model(text).calibrate(table, folds=5).predict(n=100)
        >>> low, high = found.interval(0.9)
        >>> bool(88 < low < found.value < high < 112)
        True
        """
        name: str = result or self.data["equation"]
        return self._model.predict(name, fit=self.parameters, draws=draws, seed=seed, **values)

    @property
    def notes(self) -> list[str]:
        """Times that cannot be distinguished, and parts that the measurements lack."""
        return self.data["notes"]  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for time in self.data["times"] for name in time))
        return table_html(names, ([time.get(name) for name in names] for time in self.data["times"]))

    def __repr__(self) -> str:
        return f"<Calibration: {', '.join(f'{name} = {value:g}' for name, value in self.values.items())}>"


class Prediction(Same):
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

    def __init__(self, model: Model, fit: str, values: list[tuple[str, str]], result: str, draws: int, seed: int) -> None:
        self._asked = (model, fit, values, result, draws, seed)
        self.data = self._at(0.9)

    def _at(self, level: float) -> dict[str, Any]:
        import json

        model, fit, values, result, draws, seed = self._asked
        found = json.loads(_pamela.predicted(model._model, fit, values, [result], level, draws, seed))
        return next(own for own in found if own["name"] == result)

    def _key(self) -> Any:
        return self.data

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
        """The interval of this probability, with equal ones below and above.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric unknown t = uniform(0, 10)\\nnumeric f = 2 * t")
        >>> [round(end) for end in model.predict("f").interval(level=0.5)]
        [5, 15]
        """
        law = (self.data if level == 0.9 else self._at(level))["law"]
        return (self.value, self.value) if law is None else (law["interval"]["low"], law["interval"]["high"])

    def _repr_html_(self) -> str:
        low, high = self.interval()
        return table_html(["value", "mean", "from 5 %", "to 95 %", "unit"], [[self.value, self.mean, low, high, self.unit]])

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

    Parameters
    ----------
    samples
        Numbers.
    name
        What messages call them.
    resamples, seed
        Number of bootstrap samples for the intervals of moments, and their seed.

    >>> import pamelaplus as pamela
    >>> pamela.fit([1.0, 2.0, 2.5, 4.0, 7.0, 3.0, 1.5, 2.2]).candidates[0]["by"] in ("moments", "maximum likelihood")
    True
    """
    import json

    from ._arrays import doubles

    values = doubles(name, samples).reshape(-1).tolist()
    resamples, seed = as_whole("resamples", resamples, 0, 2**20), as_whole("seed", seed, 0, 2**64 - 1)
    return Fit(json.loads(_pamela.fitted(name, values, resamples, seed)))


for _class in (Calibration, Fit, Prediction):
    _class.__module__ = "pamelaplus"
del _class
