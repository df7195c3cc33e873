"""Sweeps, models and tables on many processes and machines.

A compiled model is a few thousand bytes, and a part of a sweep is two numbers. So any engine that calls
Python functions elsewhere can compute parts. It only needs ``submit``, as in ``concurrent.futures.Executor``.
Parts depend on the request alone, so results are the same bytes wherever they were computed.

>>> import pamelaplus as pamela
>>> pamela.clusters.parts(100_000, 4)
[(0, 32768), (32768, 65536), (65536, 98304), (98304, 100000)]
"""

from __future__ import annotations

import os

from . import _pamela
from ._compiled import Compiled
from ._engines import Engine, shared
from ._errors import PamelaError
from ._options import Wish
from ._sweep import Sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from ._figures import Pass
    from ._table import Table

__all__ = ["Result", "Running", "map", "parts", "simplify"]

#: Parts are cut at multiples of this many points.
UNIT = 16_384
#: Version of the messages to workers.
_FORMAT = 4


class Result:
    """The result of :meth:`Sweep.run_on`.

    >>> import pamelaplus as pamela
    >>> pamela.clusters.Result([], None, None).missing
    []
    """

    __slots__ = ("missing", "directory", "figures")

    missing: list[int]
    """Numbers of the missing parts: calling ``run_on`` again computes them."""
    directory: str | None
    """Directory of the parts of the table."""
    figures: Table | None
    """Columns of figures by name, with a row for each group."""

    def __init__(self, missing: list[int], directory: str | None, figures: Table | None) -> None:
        self.missing = missing
        self.directory = directory
        self.figures = figures

    def _repr_html_(self) -> str:
        return f"<div>{repr(self)[1:-1]}</div>" if self.figures is None else self.figures._repr_html_()

    def __repr__(self) -> str:
        return f"<Result: {len(self.missing)} parts missing>" if self.missing else "<Result: complete>"


class Running:
    """Parts that an engine computes: iterate over their numbers as they finish, or ask for the result.

    >>> import pamelaplus as pamela
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:1e5")
    >>> with ThreadPoolExecutor(2) as engine:
    ...     running = grid.submit(engine, aggregate=["sum"], parts=4)
    ...     seen = sorted(running)
    ...     (seen, running.done, len(running), float(running.result().figures["T_sum"][0]))
    ([0, 1, 2, 3], 4, 4, 5000050000.0)
    """

    def __init__(self, count: int, steps: Iterator[int], end: Callable[[], Result]) -> None:
        self._count = count
        self._steps = steps
        self._end = end
        self._result: Result | None = None
        self.done = 0

    done: int
    """Number of finished parts."""

    def __len__(self) -> int:
        """Number of parts that are computed."""
        return self._count

    def __iter__(self) -> Iterator[int]:
        for number in self._steps:
            self.done += 1
            yield number

    def result(self) -> Result:
        """Wait for all parts and return the result.

        >>> import pamelaplus as pamela
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n").compile().sweep(n="1:9")
        >>> with ThreadPoolExecutor(2) as engine:
        ...     grid.submit(engine, aggregate=["max"]).result().figures["T_max"].tolist()
        [9.0]
        """
        for _ in self:
            pass
        if self._result is None:
            self._result = self._end()
        return self._result

    def __repr__(self) -> str:
        return f"<Running: {self.done} of {len(self)} parts done>"


def parts(points: int, count: int | None = None, size: int = 2**24) -> list[tuple[int, int]]:
    """Divide points into parts: at most ``count`` parts, or parts of about ``size`` points.

    Parts are cut at multiples of 16,384.

    Parameters
    ----------
    points
        Number of points.
    count
        Most parts.
    size
        Points of a part, if ``count`` is not given.

    >>> import pamelaplus as pamela
    >>> pamela.clusters.parts(40_000, size=16_384)
    [(0, 16384), (16384, 32768), (32768, 40000)]
    """
    if count is not None and count < 1:
        raise PamelaError(f"there are no {count} parts")
    return _pamela.divided(points, count, size)


def submit(
    sweep: Sweep,
    engine: Any,
    *,
    to: str | os.PathLike[str] | None = None,
    aggregate: Sequence[str] = (),
    by: str | Sequence[str] = (),
    parts: int | None = None,
) -> Running:
    """Implements :meth:`Sweep.submit`."""
    if bool(aggregate) == (to is not None):
        raise PamelaError("either parts of a table are written, with to=.., or figures are computed, with aggregate=..")
    if to is None:
        return _reduced(sweep, engine, list(aggregate), [by] if isinstance(by, str) else list(by), parts)
    path = os.fspath(to)
    if "://" in path:
        from ._remote import written

        return written(sweep, engine, path, parts)
    return _written(sweep, engine, path, parts)


def run_on(sweep: Sweep, engine: Any, **asked: Any) -> Result:
    """Implements :meth:`Sweep.run_on`."""
    return submit(sweep, engine, **asked).result()


#: What :func:`map` calls, by name.
_METHODS = ("calibrate", "check", "compile", "evaluate", "fit", "optimise", "optimize", "simplify", "simulate")


def map(items: Sequence[Any], engine: Any, method: str, **options: Any) -> list[Any]:
    """Call a method of many models on an engine; results are in the order of the items.

    An item with an error has the error as its result.

    Parameters
    ----------
    items
        Models, paths of models, compiled models for ``optimise``, arrays of samples for ``fit``, or pairs of a model and a
        dict of options of its own, such as ``(model, {"table": runs})``.
    engine
        See :meth:`Sweep.run_on`.
    method
        ``simplify``, ``compile``, ``evaluate``, ``check``, ``simulate``, ``calibrate``, ``optimise`` or ``fit``.
    **options
        Options of the method.

    >>> import pamelaplus as pamela
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> models = [pamela.Model(f"numeric parameter n\\nnumeric T = n + {k} * n") for k in range(3)]
    >>> with ThreadPoolExecutor(2) as engine:
    ...     [form["T"].text for form in pamela.clusters.map(models, engine, "simplify")]
    ['n', '2 * n', '3 * n']
    """
    if method not in _METHODS:
        raise PamelaError(f"no method {method!r} runs on an engine; there are {', '.join(_METHODS)}")
    own = list(items)
    with Engine(engine, options) as there:
        found = dict(there.results(_called, [(_FORMAT, method, item) for item in own]))
    return [found[place] for place in range(len(own))]


def _called(key: str, data: Any, version: int, method: str, item: Any) -> Any:
    _check(version)
    from . import Model, fit

    options: dict[str, Any] = dict(shared(key, data))
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], dict):
        options.update(item[1])
        item = item[0]
    try:
        if method == "fit":
            return fit(item, **options)
        subject: Any = Model.from_file(item) if isinstance(item, (str, os.PathLike)) else item
        if method in ("optimise", "optimize") and isinstance(subject, Model):
            subject = subject.compile()
        if method == "calibrate":
            return subject.calibrate(options.pop("table"), **options)
        return getattr(subject, method)(**options)
    except PamelaError as error:
        return error


def simplify(paths: Sequence[str | os.PathLike[str]], engine: Any, **options: Any) -> dict[str, str | PamelaError]:
    """Find the closed forms of many models, as texts by file; a wrong model has its error instead.

    Parameters
    ----------
    paths
        Files of models.
    engine
        See :meth:`Sweep.run_on`.
    **options
        Options of :meth:`Model.simplify`.

    >>> import pamelaplus as pamela, pathlib, tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as engine:
    ...     path = pathlib.Path(directory, "one.pam")
    ...     _ = path.write_text("numeric T = 1 + 1")
    ...     list(pamela.clusters.simplify([path], engine).values())
    ['numeric T = 2']
    """
    names = [os.fspath(path) for path in paths]
    found = map(names, engine, "simplify", **options)
    texts = [form if isinstance(form, PamelaError) else form.text for form in found]
    return dict(zip(names, texts, strict=True))


def simulated(model: _pamela.Model, wish: Any, engine: Any) -> str:
    """Implements :meth:`Model.simulate` with an engine; returns the report as JSON."""
    with Engine(engine, (model.dumps(), {**vars(wish), "threads": 1})) as there:

        def ask(known: str, first: int, end: int) -> list[str]:
            # Several parts for each slot of an engine, but at most one for each replication.
            size = max(1, -(-(end - first) // 64))
            spans = [(at, min(end, at + size)) for at in range(first, end, size)]
            found = dict(there.results(_replications, [(_FORMAT, known, span) for span in spans]))
            return [found[number] for number in range(len(spans))]

        return _pamela.simulated_elsewhere(model, wish, ask)


def _replications(key: str, data: Any, version: int, known: str, span: tuple[int, int]) -> str:
    _check(version)
    model, words = shared(key, data)
    return _pamela.replications(_pamela.Model.loads(model), Wish(**words), known, *span)


def _reduced(sweep: Sweep, engine: Any, figures: list[str], by: list[str], count: int | None) -> Running:
    from ._figures import named

    # Report unknown aggregates and groups before anything is computed.
    sweep._part(sweep._sweep.range[0], sweep._sweep.range[0])._figures([], named(figures)[0])
    there = Engine(engine, _message(sweep))
    spans = sweep._sweep.parts(count)
    found: dict[int, bytes] = {}

    def steps() -> Iterator[int]:
        for number, part in there.results(_summarised, [(_FORMAT, span, by) for span in spans]):
            found[number] = part
            yield number

    def end() -> Result:
        with there:
            run = _passes(there, spans, by)
            return Result([], None, sweep._summed([found[number] for number in range(len(spans))], figures, by, run))

    return Running(len(spans), steps(), end)


def passes(sweep: Sweep, engine: Any) -> Pass:
    """Return what computes a pass over all points: here, or on an engine. Without a kind it gives summaries."""
    from ._figures import one_pass

    def here(kind: Any, needs: Any) -> Any:
        return [sweep._sweep.summarised([])] if not kind else one_pass(sweep._sweep, kind, needs, [])

    def elsewhere(kind: Any, needs: Any) -> Any:
        with Engine(engine, _message(sweep)) as there:
            spans = sweep._sweep.parts(None)
            if kind:
                return _passes(there, spans, [])(kind, needs)
            found = dict(there.results(_summarised, [(_FORMAT, span, []) for span in spans]))
            return [found[number] for number in range(len(spans))]

    return here if engine is None else elsewhere


def _passes(there: Engine, spans: Sequence[tuple[int, int]], by: list[str]) -> Pass:
    from ._figures import merged

    def run(kind: str, needs: Any) -> Any:
        tasks = [(_FORMAT, span, by, kind, needs) for span in spans]
        return merged([part for _, part in there.results(_passed, tasks)])

    return run


def best_points(sweep: Sweep, engine: Any, count: int, column: str, smallest: bool) -> list[tuple[float, int]]:
    """Implements :meth:`Sweep.top` on an engine: values and point numbers, best first."""
    with Engine(engine, _message(sweep)) as there:
        tasks = [(_FORMAT, span, count, column, smallest) for span in sweep._sweep.parts(None)]
        found = [pair for _, part in there.results(_best, tasks) for pair in part]
    return sorted(found, key=lambda pair: (pair[0] if smallest else -pair[0], pair[1]))[:count]


def _written(sweep: Sweep, engine: Any, directory: str, count: int | None) -> Running:
    parts = _pamela.Parts(sweep._compiled._compiled, sweep._sweep, directory, count)
    missing = parts.missing()
    left = set(missing)
    there = Engine(engine, _message(sweep))

    def steps() -> Iterator[int]:
        tasks = [(_FORMAT, sweep._sweep.range, number, directory, count) for number in missing]
        for place, _ in there.results(_write_part, tasks, missing):
            left.discard(missing[place])
            yield missing[place]

    def end() -> Result:
        with there:
            parts.finish()
        return Result(sorted(left), directory, None)

    return Running(len(missing), steps(), end)


def _message(sweep: Sweep) -> tuple[bytes, dict[str, Any]]:
    """What all parts of a sweep need. Workers use one thread each; the engine has a slot for each worker."""
    return sweep._compiled.dumps(), {**sweep._spec, "threads": 1}


def _check(version: int) -> None:
    if version != _FORMAT:
        raise PamelaError(f"the part is of format {version}, and pamela {_pamela.__version__} here computes format {_FORMAT}")


_sweeps: dict[str, Sweep] = {}


def _there(key: str, data: Any, version: int, span: tuple[int, int]) -> Sweep:
    """Compute one part of a sweep in a worker process, which reads the model once."""
    _check(version)
    found = _sweeps.get(key)
    if found is None:
        compiled, spec = shared(key, data)
        found = Sweep._made(Compiled.loads(compiled), spec)
        _sweeps.clear()
        _sweeps[key] = found
    return found._part(*span)


def _summarised(key: str, data: Any, version: int, span: tuple[int, int], by: list[str]) -> bytes:
    return _there(key, data, version, span)._sweep.summarised(by)


def _passed(key: str, data: Any, version: int, span: tuple[int, int], by: list[str], kind: str, needs: Any) -> Any:
    from ._figures import one_pass

    return one_pass(_there(key, data, version, span)._sweep, kind, needs, by)


def _best(key: str, data: Any, version: int, span: tuple[int, int], count: int, column: str, smallest: bool) -> Any:
    return _there(key, data, version, span)._sweep.best(count, column, smallest)


def _write_part(key: str, data: Any, version: int, span: tuple[int, int], number: int, directory: str, count: int | None) -> None:
    sweep = _there(key, data, version, span)
    _pamela.Parts(sweep._compiled._compiled, sweep._sweep, directory, count).write(number)


for _class in (Result, Running):
    _class.__module__ = "pamelaplus.clusters"
del _class
