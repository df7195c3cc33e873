"""Models as read."""

from __future__ import annotations

import os
import warnings

from . import _pamela
from ._errors import PamelaError, Unfinished
from ._language import language
from ._measuring import Measuring
from ._model_parts import Parameter
from ._options import Wish, as_conditions, as_share, as_threads, as_whole, check_options, suggesting
from ._same import Constant
from ._sources import Sources
from ._units import plain_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ._compiled import Compiled
    from ._formula import Simplified
    from ._page import Page
    from ._results import Report, Solution
    from ._values import Evaluated

__all__ = ["Model"]

#: Options that are suggested for misspelt names.
_SIMULATE = (
    *("process", "replications", "until_relative_error", "confidence", "seed", "arbitration", "negative", "cycles"),
    *("trace", "max_events", "threads", "engine"),
)


def _in_text(name: str, conditions: Sequence[str]) -> bool:
    """Return whether a name occurs in conditions, where it stands for a number that the model lacks."""
    import re

    return any(re.search(rf"\b{re.escape(name)}\b", condition) for condition in conditions)


class Model(Constant, Sources, Measuring):
    """A checked performance model.

    Raises :class:`PamelaError` with all errors found.

    Parameters
    ----------
    text
        The model.
    name
        Its name in messages.
    files
        Texts of the files that the model names: includes, samples, tables, graphs.
    directory
        Where other files are; without it and ``files``, a text cannot name files.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter n : integer >= 0\\nnumeric T = sum (i = 1, n) { i }")
    >>> model.simplify()["T"]
    T = n * (n + 1) / 2
    """

    __slots__ = ("_model",)

    _model: _pamela.Model

    def __init__(
        self,
        text: str,
        *,
        name: str = "model",
        files: Mapping[str, str] | None = None,
        directory: str | os.PathLike[str] | None = None,
    ) -> None:
        inside = None if directory is None else os.fspath(directory)
        self._model = _pamela.Model(text, name, None if files is None else dict(files), inside)
        self._warn()

    @classmethod
    def _of(cls, inner: _pamela.Model) -> Model:
        model = object.__new__(cls)
        model._model = inner
        return model

    def _own(self) -> Model:
        return self

    def _warn(self) -> None:
        for warning in self._model.warnings:
            warnings.warn(warning, UserWarning, stacklevel=3)

    @property
    def name(self) -> str:
        """Name of the model, for example its file.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric T = 1", name="one").name
        'one'
        """
        return self._model.name

    @property
    def text(self) -> str:
        """Text of the model, without included files.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric T = 1").text
        'numeric T = 1'
        """
        return self._model.text

    @property
    def parameters(self) -> list[Parameter]:
        """Parameters, in the order of the text.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter t = 2\\nnumeric T = t").parameters
        [Parameter('t', default=True)]
        """
        return [Parameter(*parts) for parts in self._model.parameters]

    def define(self, **values: Any) -> Model:
        """Return the model with values for parameters or equations.

        A value is a number, a ``Fraction``, a ``Decimal`` or a text of the language. A law can be an array of
        samples. Numbers are in the unit of the parameter; quantities are converted.

        Parameters
        ----------
        **values
            For each name its value.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric parameter n\\nnumeric parameter t\\nnumeric T = n * t")
        >>> model.define(n="3 + t", t=0.1).evaluate()["T"]
        0.31
        >>> random = pamela.Model("numeric parameter t : law\\nnumeric T = 2 * t")
        >>> random.define(t=[1.0, 2.0, 6.0]).evaluate()["T"].mean()
        6.0
        """
        given = plain_all(self._model, values)
        return Model._of(self._model.define([(name, language(name, value)) for name, value in given.items()]))

    def check(self) -> None:
        """Run checks beyond reading, and raise what they find: arguments out of range, false facts.

        >>> import pamelaplus as pamela
        >>> pamela.Model("process main = delay(exponential(1))").check()
        """
        self._model.check()

    def simplify(
        self,
        *,
        all: bool = False,
        bounds: bool = False,
        explain: bool = False,
        only: Sequence[str] = (),
        effort: str = "normal",
        strict: bool = False,
        enclose: bool = True,
        regimes: bool = False,
        sensitivity: Sequence[str] = (),
        expand: Sequence[str] = (),
        collect: Sequence[str] = (),
        moments: int = 4,
        laws: str = "grid",
    ) -> Simplified:
        """Find the closed forms, with the options of ``pamela simplify``.

        Parameters
        ----------
        all
            Also find critical path, demand and bottleneck of each process.
        bounds
            Also find bounds of the times.
        explain
            Record the derivations.
        only
            Names of the equations.
        effort
            ``"low"``, ``"normal"`` or ``"high"``: the limit of work.
        strict
            Assume nothing: conditions become cases.
        enclose
            Find closed bounds of what stays open.
        regimes
            Find regimes and crossings.
        sensitivity
            Parameters by which values are differentiated.
        expand
            Equations that are written out wherever others mention them.
        collect
            Parameters by which sums are collected.
        moments
            Number of moments of laws that are found.
        laws
            ``"grid"``, ``"gld"`` or ``"johnson"``: how laws are represented in numbers.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric parameter n : integer >= 0\\nnumeric T = sum (i = 1, n) { 2 ^ i }")
        >>> model.simplify()
        T = 2 * 2^n - 2
        >>> model = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = a * (b + 2) + b * 3")
        >>> model.simplify(collect=["b"])
        T = b * (a + 3) + 2 * a
        """
        options = {
            "all": all,
            "bounds": bounds,
            "explain": explain,
            "only": list(only),
            "effort": effort,
            "strict": strict,
            "enclose": enclose,
            "regimes": regimes,
            "sensitivity": list(sensitivity),
            "expand": list(expand),
            "collect": list(collect),
            "moments": moments,
            "laws": laws,
            "times": True,
        }
        from ._formula import Simplified

        simplified = Simplified(self._model.compile(options), options)
        if not simplified.is_closed:
            open_ = [form.name for form in simplified.values() if not form.is_closed]
            warnings.warn(f"not closed: {', '.join(open_)}", Unfinished, stacklevel=2)
        return simplified

    def compile(
        self,
        *,
        all: bool = False,
        bounds: bool = False,
        only: Sequence[str] = (),
        effort: str = "normal",
        laws: str = "grid",
    ) -> Compiled:
        """Find the closed forms, for fast evaluation at points, over arrays and over tables.

        Parameters
        ----------
        all, bounds, only, effort, laws
            As in :meth:`simplify`.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = n ^ 2").compile().at(n=3)["T"]
        9.0
        """
        options = {
            "all": all,
            "bounds": bounds,
            "only": list(only),
            "effort": effort,
            "laws": laws,
            "exact_times": True,
            "regimes": True,
            "moments": 0,
        }
        from ._compiled import Compiled

        return Compiled(self._model.compile(options))

    def solve(
        self,
        condition: str | Sequence[str],
        unknown: str,
        /,
        *,
        within: tuple[float, float] | None = None,
        **values: Any,
    ) -> Solution:
        """Find all values of the parameter ``unknown`` for which a condition holds, exactly.

        ``within`` restricts the values. Keywords give other parameters numbers; parameters without a number stay
        symbols, and the answer is then a formula with conditions.

        Parameters
        ----------
        condition
            One condition or several, such as ``"T <= 20"``.
        unknown
            Name of the parameter.
        within
            Least and greatest value that are looked at.
        **values
            Numbers of other parameters.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric parameter P : integer >= 1\\nnumeric parameter N\\nnumeric T = N / P + P")
        >>> model.solve("T <= 20", "P", N=36).ranges
        [(2, 18)]
        >>> model.solve("N / P <= 20", "P", N=90).ranges
        [(5, None)]
        """
        from ._results import Solution
        from ._units import axis_values

        given = [(name, axis_values(self._model, name, value)) for name, value in values.items()]
        own = {parameter.name for parameter in self.parameters}
        for name in values:
            if name not in own and not _in_text(name, as_conditions(condition)):
                raise PamelaError(f"the model has no parameter `{name}`; its parameters are {', '.join(sorted(own))}")
        if unknown not in own:
            raise PamelaError(f"the model has no parameter `{unknown}`; its parameters are {', '.join(sorted(own))}")
        if unknown in values:
            raise PamelaError(f"`{unknown}` is solved for, and has a value: leave one of them out")
        return Solution(_pamela.solution(self._model, as_conditions(condition), unknown, within, given))

    def evaluate(self, **values: Any) -> Evaluated:
        """Evaluate all equations at these values, like ``pamela eval``.

        Parameters
        ----------
        **values
            Values of the parameters; those of laws are laws, samples or texts.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = n / 3").evaluate(n=1).exact["T"]
        Fraction(1, 3)
        """
        values = plain_all(self._model, values)
        scalar = {p.name for p in self.parameters if not p.law}
        numbers = {n: v for n, v in values.items() if n in scalar and not isinstance(v, str)}
        others = {n: v for n, v in values.items() if n not in numbers}
        with self._naming(others):
            model = self.define(**others) if others else self
        options = {"times": True, "moments": 0}
        compiled = model._model.compile(options)
        from ._values import Evaluated

        return Evaluated(compiled.at(numbers, thorough=True), (compiled, numbers, True))

    def simulate(
        self,
        *,
        process: str | None = None,
        replications: int | None = None,
        until_relative_error: float | None = None,
        confidence: float = 0.95,
        seed: int = 1,
        arbitration: str = "source",
        negative: str = "error",
        cycles: bool = False,
        trace: int | None = None,
        max_events: int = 100_000_000,
        threads: int | None = None,
        engine: Any = None,
        **values: Any,
    ) -> Report:
        """Run the model with contention, like ``pamela simulate``.

        ``trace`` keeps this many events of the first replication. An ``engine``, as in :meth:`Sweep.run_on`,
        runs all replications except the first; the report is the same.

        Parameters
        ----------
        process
            The process; ``main`` without it.
        replications
            Number of replications.
        until_relative_error
            Simulate until the interval of the mean has this half-width, relative to the mean.
        confidence
            Probability of the interval of the mean.
        seed
            Seed of the random numbers.
        arbitration
            ``"source"`` or ``"seeded"``: the order of requests at equal times.
        negative
            ``"error"`` or ``"clip"``: what becomes of negative random times.
        cycles
            Report cycles of an endless process.
        trace
            Number of events of the first replication that are kept.
        max_events
            Limit of the events of a replication.
        threads
            Number of threads.
        engine
            Where to run the replications.
        **values
            Values of the parameters.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("resource s = fcfs(0, 1)\\nprocess main = par (p = 1, 4) use(s, 2)")
        >>> model.simulate().mean
        8.0
        """
        import json

        from ._results import Report

        if arbitration not in ("source", "seeded") or negative not in ("error", "clip"):
            raise PamelaError('there are arbitration="source" or "seeded", and negative="error" or "clip"')
        options = {"process": process, "replications": replications, "trace": trace, "threads": threads, "engine": engine}
        used = {name: value is not None for name, value in options.items()}
        check_options(self.parameters, values, **used, cycles=cycles, seed=seed != 1, confidence=confidence != 0.95)
        with self._naming(values, _SIMULATE):
            model = self.define(**values) if values else self
        wish = Wish(
            process=process,
            replications=None if replications is None else as_whole("replications", replications, 1, 2**20),
            until_relative_error=None if until_relative_error is None else as_share("until_relative_error", until_relative_error),
            confidence=as_share("confidence", confidence),
            seed=as_whole("seed", seed, 0, 2**64 - 1),
            seeded=arbitration == "seeded",
            clip=negative == "clip",
            cycles=cycles,
            max_events=as_whole("max_events", max_events, 1, 2**63),
            trace_limit=None if trace is None else as_whole("trace", trace, 0, 2**63),
            threads=None if threads is None else as_threads(threads) or None,
        )
        if engine is None:
            report, events = _pamela.simulated(model._model, wish)
        elif trace is None:
            from .clusters import simulated

            report, events = simulated(model._model, wish, engine), None
        else:
            raise PamelaError("a trace is kept where no engine is used")
        found = Report(json.loads(report), events)
        if not found.complete:
            warnings.warn(f"the simulation was stopped: {found.data['end']}", Unfinished, stacklevel=2)
        return found

    def report(self, *, title: str | None = None, all: bool = False, **values: Any) -> Page:
        """Make a page about the model, like ``pamela report``.

        It shows the closed forms with conditions and derivations, and a slider for each parameter. Values are
        as in :meth:`Compiled.sweep`; a parameter with several values gets a slider over them.

        Parameters
        ----------
        title
            Title of the page.
        all
            Also show critical path, demand and bottleneck.
        **values
            Values of the parameters.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric parameter P : integer >= 1\\nnumeric parameter w\\nnumeric T = w / P + P")
        >>> page = model.report(P="1:64", w=100, title="A pool")
        >>> "<title>A pool</title>" in page.html
        True
        """
        from ._page import Page
        from ._units import axis_values

        scalar = {parameter.name for parameter in self.parameters if not parameter.law}
        others = {name: value for name, value in values.items() if name not in scalar}
        given = [(name, axis_values(self._model, name, value)) for name, value in values.items() if name in scalar]
        with self._naming(others, ("title", "all")):
            model = self.define(**others) if others else self
        swept = _pamela.swept(self._model, given)
        options = {"all": all, "times": True, "explain": True, "regimes": True, "sensitivity": swept}
        compiled = model._model.compile(options)
        return Page(_pamela.report(compiled, model.text, model.name, given, title))

    def _key(self) -> Any:
        return self._model.dumps()

    def _repr_html_(self) -> str:
        from ._display import escape, table_html

        rows = [(p.name, "law" if p.law else " ".join(p.facts), p.unit, p.comment) for p in self.parameters]
        parameters = table_html(["parameter", "facts", "unit", "comment"], rows) if rows else ""
        return f"<pre>{escape(self.text)}</pre>{parameters}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_loads, (self._model.dumps(),))

    def __repr__(self) -> str:
        names = ", ".join(parameter.name for parameter in self.parameters)
        return f"<Model {self.name!r} of {names or 'no parameters'}>"


def _loads(data: bytes) -> Model:
    return Model._of(_pamela.Model.loads(data))


suggesting(Model, "simplify", "compile")
Model.__module__ = "pamelaplus"
